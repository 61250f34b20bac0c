import type { Command } from './command.ts';

/** Commands by name. */
export type Commands = Readonly<Record<string, Command>>;

const program = 'npm run service --';
const exitCodes = 'Exit codes: 0 done, or nothing to do; 1 failed or refused; 2 wrong usage.';

/** What `--help` prints. */
export function renderHelp(commands: Commands): string {
  return [
    `${program} <command> [arguments]`,
    '',
    renderColumns(Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary])),
    '',
    `${program} <command> --help tells the arguments of a command.`,
    exitCodes,
  ].join('\n');
}

/** What `<command> --help` prints. */
export function renderCommandHelp(name: string, command: Command): string {
  const options = command.options.map((option) => [`  ${option.name}`, option.summary]);
  return [
    renderUsage(name, command),
    '',
    command.summary,
    ...(options.length > 0 ? ['', renderColumns(options)] : []),
    '',
    exitCodes,
  ].join('\n');
}

/** How a command is called, in one line. */
export const renderUsage = (name: string, { usage }: Command): string => `${program} ${name} ${usage}`.trim();

/** Rows as text, each column as wide as its widest cell but for the last. */
export function renderColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const renderRow = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => renderRow(row).trimEnd()).join('\n');
}
