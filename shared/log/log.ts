import { environment, type LogLevel, logLevels } from '#shared/config/environment.ts';

/** One JSON line on the console, with the cause of an error unrolled. */
function write(level: LogLevel, event: string, fields: Record<string, unknown>): void {
  if (logLevels.indexOf(level) < logLevels.indexOf(environment().logLevel)) return;
  const { error, ...rest } = fields;
  const line = { level, event, time: new Date().toISOString(), ...rest, ...(error ? describe(error) : {}) };
  console[level](JSON.stringify(line));
}

function describe(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause && depth < 3 ? { cause: describe(error.cause, depth + 1) } : {};
  return { error: `${error.name}: ${error.message}`, stack: error.stack, ...cause };
}

type Write = (event: string, fields?: Record<string, unknown>) => void;

/** The structured log. `event` is a stable word such as `cache.unavailable`; never pass secrets. */
export const log: Record<LogLevel, Write> = {
  debug: (event, fields = {}) => write('debug', event, fields),
  info: (event, fields = {}) => write('info', event, fields),
  warn: (event, fields = {}) => write('warn', event, fields),
  error: (event, fields = {}) => write('error', event, fields),
};
