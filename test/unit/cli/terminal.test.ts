import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { confirm } from '#cli/terminal.ts';

const createInput = (isTTY = true) => Object.assign(new PassThrough(), { isTTY });

describe('confirm', () => {
  test.each(['y', 'Y', 'yes', ' yes '])('takes %j as yes', async (answer) => {
    const [input, output] = [createInput(), new PassThrough()];
    input.write(`${answer}\n`);

    await expect(confirm('Go?', false, input, output)).resolves.toBeUndefined();
    expect(String(output.read())).toContain('Go? [y/N] ');
  });

  test.each(['', 'n', 'no', 'yess', 'ja'])('takes %j as no', async (answer) => {
    const input = createInput();
    input.write(`${answer}\n`);

    await expect(confirm('Go?', false, input, new PassThrough())).rejects.toThrow('Nothing was done.');
  });

  test('takes the end of the input as no', async () => {
    const input = createInput();
    input.end();

    await expect(confirm('Go?', false, input, new PassThrough())).rejects.toThrow('Nothing was done.');
  });

  test('refuses without a terminal, naming --yes', async () => {
    const refusal = confirm('Go?', false, createInput(false));

    await expect(refusal).rejects.toThrow(/--yes/);
  });

  test('does not ask with --yes', async () => {
    await expect(confirm('Go?', true, createInput(false))).resolves.toBeUndefined();
  });
});
