import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Manifest } from '#functions/model.ts';
import { log } from '#shared/log/log.ts';
import { explain } from './command.ts';

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** Asks before a step that cannot be undone, except with `--yes`. @throws Error without a terminal, or without a yes */
export async function confirm(
  question: string,
  isYes: boolean,
  input: Input = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  if (isYes) return;
  if (!input.isTTY) throw new Error(`${question} Add --yes: this is not a terminal. Nothing was done.`);
  const answer = await ask(`${question} [y/N] `, input, output);
  if (!/^y(es)?$/i.test(answer)) throw new Error('Nothing was done.');
}

/**
 * Asks for a name again before a step that cannot be undone.
 *
 * @param given the name by `--yes`
 * @throws Error if the name differs, or without a terminal
 */
export async function askFor(
  name: string,
  given: string | undefined,
  input: Input = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  if (given === undefined && !input.isTTY)
    throw new Error(`Add --yes ${name}: this is not a terminal. Nothing was done.`);
  const answer = given ?? (await ask(`Type ${name} to go on: `, input, output));
  if (answer !== name) throw new Error(`"${answer}" is not ${name}. Nothing was done.`);
}

async function ask(question: string, input: Input, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input, output });
  lines.setPrompt(question);
  lines.prompt();
  // Ctrl-C and Ctrl-D close the input without a line.
  const answer = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])]);
  lines.close();
  return String(answer[0]).trim();
}

export function printWarnings({ warnings }: Manifest): void {
  for (const warning of warnings) console.warn(`Warning: ${warning}`);
}

/** Prints the logged failures of this process for people: in one line without the stack, and each only once. */
export function shortenLog(): void {
  const printed = new Set<string>();
  for (const level of ['warn', 'error'] as const) {
    const write = log[level];
    log[level] = (event, fields = {}, metrics?) => {
      if (fields.error === undefined) return write(event, fields, metrics);
      const line = `${event}: ${explain(fields.error)}`;
      if (!printed.has(line)) console.error(line);
      printed.add(line);
    };
  }
}

export function renderColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const renderRow = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return rows.map((row) => renderRow(row).join('  ').trimEnd()).join('\n');
}
