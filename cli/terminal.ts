import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Manifest } from '#functions/model.ts';

/** Where a question is asked. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

export interface ConfirmOptions {
  /** Whether the answer was given beforehand, by `--yes`. */
  isYes: boolean;
  /** @default the process's own */
  terminal?: Terminal;
}

/**
 * Asks before something that cannot be undone.
 *
 * @param question what will be done, ending with a question mark
 * @throws Error unless the answer is yes; at once if there is no terminal
 */
export async function confirm(question: string, { isYes, terminal }: ConfirmOptions): Promise<void> {
  if (isYes) return;
  const { input, output } = terminal ?? { input: process.stdin, output: process.stdout };
  if (!input.isTTY)
    throw new Error(`${question} Say --yes: there is no terminal to ask on. Nothing was done.`);
  const lines = createInterface({ input, output });
  lines.setPrompt(`${question} [y/N] `);
  lines.prompt();
  // Ctrl-C and Ctrl-D close it without a line.
  const answer = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])]);
  lines.close();
  if (!/^y(es)?$/i.test(String(answer[0]).trim())) throw new Error('Nothing was done.');
}

/** Tells what discovery found odd and let pass. */
export function printWarnings({ warnings }: Manifest): void {
  for (const warning of warnings) console.warn(`Warning: ${warning}`);
}

/** Rows as text. Each column but the last is as wide as its widest cell. */
export function renderColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const renderRow = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => renderRow(row).trimEnd()).join('\n');
}
