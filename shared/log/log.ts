import { format } from 'node:util';
import { environment, type LogLevel, logLevels } from '#shared/config/environment.ts';
import { embedMetrics, type Metrics } from './metrics.ts';
import { isSuspicious, redact } from './redact.ts';
import { currentTraceId } from './trace.ts';

/** Metrics of events. */
const metricsOf: Record<string, Metrics> = {
  'cache.read_failed': { CacheUnavailable: 1 },
  'cache.invalidate_failed': { CacheUnavailable: 1 },
  'throttle.cache_unavailable': { CacheUnavailable: 1 },
};

function write(level: LogLevel, event: string, fields: Fields, metrics = metricsOf[event]): void {
  const { logLevel, metricsTarget, isDeployed } = environment();
  if (logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return;
  const { error, ...rest } = fields;
  const now = new Date();
  const trace_id = currentTraceId();
  const line = {
    level,
    event,
    time: now.toISOString(),
    ...(trace_id && { trace_id }),
    ...rest,
    ...(error === undefined ? {} : describeThrown(error)),
    ...(metrics && metricsTarget && embedMetrics(metrics, metricsTarget, rest, now.getTime())),
  };
  // Not by the console: Lambda puts words before its lines, but log filters need pure JSON.
  if (isDeployed) process.stdout.write(`${render(line)}\n`);
  else console[level](render(line));
}

/** If the service is deployed, writes what libraries print as JSON lines without secrets. @throws EnvironmentError */
export function captureConsole(): void {
  if (!environment().isDeployed) return;
  for (const level of logLevels) {
    console[level] = (...parts: unknown[]) => log[level]('console', { message: format(...parts) });
  }
  console.log = console.info;
}

/** The line of every answer. It holds no text of clients, so it is not searched for secrets. */
const ownEvent = 'request';

/** Redaction is slow, and a quick test shows that most lines need none. */
function render(line: Fields): string {
  try {
    const text = JSON.stringify(line);
    if (line.event === ownEvent || !isSuspicious(text)) return text;
  } catch {
    // A cycle, a bigint, or a member that throws: redaction replaces it.
  }
  return JSON.stringify(redact(line));
}

type Fields = Record<string, unknown>;

/** @param metrics counted with the line if the service is deployed */
type Write = (event: string, fields?: Fields, metrics?: Metrics) => void;

/**
 * The structured log. `event` is a stable word such as `cache.unavailable`. It never throws. It masks secrets, tokens
 * and mobiles, but do not pass any.
 */
export const log: Record<LogLevel, Write> = {
  debug: (event, fields = {}, metrics?) => write('debug', event, fields, metrics),
  info: (event, fields = {}, metrics?) => write('info', event, fields, metrics),
  warn: (event, fields = {}, metrics?) => write('warn', event, fields, metrics),
  error: (event, fields = {}, metrics?) => write('error', event, fields, metrics),
};

/** Most nested causes in a line. */
const deepest = 3;

/** Log fields of a thrown value of any type: name and message, stack, causes. Never throws. */
export function describeThrown(thrown: unknown, depth = 0): Fields {
  try {
    if (!(thrown instanceof Error)) return { error: toText(thrown) };
    const { name, message, stack, cause } = thrown;
    const below = cause && depth < deepest ? { cause: describeThrown(cause, depth + 1) } : {};
    return { error: `${toText(name)}: ${toText(message)}`, stack: stack && toText(stack), ...below };
  } catch {
    return { error: '[unreadable]' };
  }
}

/** Objects without a prototype, and those whose methods throw, have no text. */
function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value} without text]`;
  }
}
