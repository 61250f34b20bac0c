import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { confirm } from '#cli/terminal.ts';

function createTerminal(isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  return { input, output };
}

describe('confirm', () => {
  test.each(['y', 'Y', 'yes', ' yes '])('takes %j as yes', async (answer) => {
    const terminal = createTerminal();
    terminal.input.write(`${answer}\n`);

    await expect(confirm('Go?', false, terminal)).resolves.toBeUndefined();
    expect(String(terminal.output.read())).toContain('Go? [y/N] ');
  });

  test.each(['', 'n', 'no', 'yess', 'ja'])('takes %j as no', async (answer) => {
    const terminal = createTerminal();
    terminal.input.write(`${answer}\n`);

    await expect(confirm('Go?', false, terminal)).rejects.toThrow('Nothing was done.');
  });

  test('takes the end of the input as no', async () => {
    const terminal = createTerminal();
    terminal.input.end();

    await expect(confirm('Go?', false, terminal)).rejects.toThrow('Nothing was done.');
  });

  test('refuses without a terminal, naming --yes', async () => {
    const refusal = confirm('Go?', false, createTerminal(false));

    await expect(refusal).rejects.toThrow(/--yes/);
  });

  test('does not ask with --yes', async () => {
    await expect(confirm('Go?', true, createTerminal(false))).resolves.toBeUndefined();
  });
});
