import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { askFor } from '#cli/terminal.ts';

const terminal = (typed: string) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(`${typed}\n`);
  return input;
};

describe('askFor', () => {
  it('goes on if the name is typed again', async () => {
    await expect(askFor('test', undefined, terminal('test'), new PassThrough())).resolves.toBeUndefined();
  });

  it.each(['tes', 'Test', 'y', ''])('refuses "%s"', async (typed) => {
    await expect(askFor('test', undefined, terminal(typed), new PassThrough())).rejects.toThrow(
      'Nothing was done',
    );
  });

  it('takes the name of an option, and refuses another one', async () => {
    await expect(askFor('test', 'test', new PassThrough())).resolves.toBeUndefined();
    await expect(askFor('test', 'prod', new PassThrough())).rejects.toThrow('"prod" is not test');
  });

  it('refuses without a terminal', async () => {
    await expect(askFor('test', undefined, new PassThrough())).rejects.toThrow('--yes test');
  });
});
