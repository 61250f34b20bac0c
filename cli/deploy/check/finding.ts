import { runWithin } from '#shared/async/run-within.ts';

/** What one check has found. */
export interface Finding {
  /** What was checked: `region`. */
  subject: string;
  /** `failed` stops a deployment, `warning` does not; `not tried` needs a check that failed. */
  state: 'ok' | 'warning' | 'failed' | 'not tried';
  /** One line, without secrets. */
  text: string;
  /** A command of a shell that mends it. */
  command?: string | undefined;
}

/** The commands of all checks have this many milliseconds each; credentials and the cache have limits of their own. */
export const limitMs = 2_500;

/** Work is over its time limit. */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError';
}

/** Runs a request with a time limit, in milliseconds. @throws Error in plain words at the limit */
export const ask = <T>(work: (signal: AbortSignal) => Promise<T>, ms = limitMs): Promise<T> =>
  runWithin(ms, () => new OverLimitError(`no answer within ${ms / 1_000} s`), work);

/** Whether AWS refuses a request because a right is missing. */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error && /^AccessDenied|^UnauthorizedOperation$/.test(error.name);

/** An error in one line. A connection that fails at every address has no message, but a code. */
export function describeFailure(error: unknown): string {
  const { name, message, code } = Object(error);
  const text = String(message || code || error).replaceAll(/\s+/g, ' ');
  return !name || name === 'Error' || error instanceof OverLimitError ? text : `${name}: ${text}`;
}

const width = 'not tried'.length;

/** Renders findings for a terminal: a line each, and the command that mends it below. */
export const renderFindings = (findings: readonly Finding[]): string =>
  findings
    .map(({ subject, state, text, command }) => {
      const line = `${(state === 'failed' ? 'FAILED' : state).padEnd(width)}  ${subject}: ${text}`;
      return command ? `${line}\n${' '.repeat(width)}  run: ${command}` : line;
    })
    .join('\n');
