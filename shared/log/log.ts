import { format } from 'node:util';
import { environment, type LogLevel, logLevels } from '#shared/config/environment.ts';
import { embedMetrics, type Metrics } from './metrics.ts';
import { isSuspicious, redact } from './redact.ts';

/** Events that count by themselves. */
const metricsOf: Record<string, Metrics> = {
  'cache.read_failed': { CacheUnavailable: 1 },
  'cache.invalidate_failed': { CacheUnavailable: 1 },
  'throttle.cache_unavailable': { CacheUnavailable: 1 },
};

/** One JSON line, with the cause of an error unrolled. */
function write(level: LogLevel, event: string, fields: Fields, metrics = metricsOf[event]): void {
  const { logLevel, metricsPlace, isDeployed } = environment();
  if (logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return;
  const { error, ...rest } = fields;
  const now = new Date();
  const line = {
    level,
    event,
    time: now.toISOString(),
    ...rest,
    ...(error === undefined ? {} : describeThrown(error)),
    ...(metrics && metricsPlace && embedMetrics(metrics, metricsPlace, rest, now.getTime())),
  };
  // Lambda puts words before what goes through the console, and filters take whole lines of JSON only.
  if (isDeployed) process.stdout.write(`${render(line)}\n`);
  else console[level](render(line));
}

/**
 * Sends what libraries print through the log if the service is deployed: its lines are JSON, without secrets.
 *
 * @throws EnvironmentError
 */
export function captureConsole(): void {
  if (!environment().isDeployed) return;
  for (const level of logLevels) {
    console[level] = (...parts: unknown[]) => log[level]('console', { message: format(...parts) });
  }
  console.log = console.info;
}

/** The line of every answer. It holds nothing that a client has written, and is not looked through. */
const ownEvent = 'request';

/** Looking for secrets costs; most lines show at a glance that they have none. */
function render(line: Fields): string {
  const text = stringify(line);
  if (text !== undefined && (line.event === ownEvent || !isSuspicious(text))) return text;
  return JSON.stringify(redact(line));
}

/** Undefined for what is no JSON: circles, numbers beyond it, and whatever throws when it is read. */
function stringify(line: Fields): string | undefined {
  try {
    return JSON.stringify(line);
  } catch {
    return undefined;
  }
}

type Fields = Record<string, unknown>;

/** @param metrics counted with the line, where the service is deployed */
type Write = (event: string, fields?: Fields, metrics?: Metrics) => void;

/**
 * The structured log. `event` is a stable word such as `cache.unavailable`. Secrets, tokens and mobiles are
 * masked, and nothing that is passed makes it throw; still, pass none.
 */
export const log: Record<LogLevel, Write> = {
  debug: (event, fields = {}, metrics?) => write('debug', event, fields, metrics),
  info: (event, fields = {}, metrics?) => write('info', event, fields, metrics),
  warn: (event, fields = {}, metrics?) => write('warn', event, fields, metrics),
  error: (event, fields = {}, metrics?) => write('error', event, fields, metrics),
};

/** Causes below a cause that are told. */
const deepest = 3;

/**
 * What is told of something that was thrown, which may be anything: name and message, the stack, and the causes.
 * Never throws.
 */
export function describeThrown(thrown: unknown, depth = 0): Record<string, unknown> {
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
