import type { RedisArgument, RedisCommand } from './redis-backend.ts';
import { RequestError } from './request-error.ts';

/** What a request asks for. */
export interface RedisRequest {
  readonly kind: 'single' | 'pipeline' | 'multi-exec';
  readonly commands: readonly RedisCommand[];
}

/**
 * Reads the commands of a request: from the JSON body at `/`, `/pipeline` and `/multi-exec`, from the path
 * (`/set/key/value?EX=10`, a body being the argument after the path's) everywhere else.
 *
 * @throws RequestError 400 when it cannot be read.
 */
export function parseRequest(path: string, query: URLSearchParams, body: Buffer): RedisRequest {
  if (path === '/pipeline' || path === '/multi-exec') {
    const rows = parseJson(body);
    if (!Array.isArray(rows)) throw new RequestError(400, 'ERR an array of commands is expected');
    if (rows.length === 0) throw new RequestError(400, 'ERR empty pipeline request');
    return { kind: path === '/pipeline' ? 'pipeline' : 'multi-exec', commands: rows.map(toCommand) };
  }
  if (path === '/') return { kind: 'single', commands: [toCommand(parseJson(body))] };
  return { kind: 'single', commands: [parsePath(path, query, body)] };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new RequestError(400, 'ERR the request body is not valid JSON');
  }
}

function toCommand(row: unknown): RedisCommand {
  if (!Array.isArray(row)) throw new RequestError(400, 'ERR a command is an array of its name and arguments');
  return named(row.map(toArgument));
}

function toArgument(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new RequestError(400, 'ERR command arguments must be strings, numbers or booleans');
}

function parsePath(path: string, query: URLSearchParams, body: Buffer): RedisCommand {
  const args: RedisArgument[] = path.slice(1).split('/').map(decodeSegment);
  if (body.length > 0) args.push(body);
  for (const [name, value] of query) {
    if (name === '_token') continue;
    args.push(name);
    // An option without a value, like NX, stands alone.
    if (value !== '') args.push(value);
  }
  return named(args);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RequestError(400, 'ERR the path is not valid percent-encoding');
  }
}

function named([name, ...args]: RedisArgument[]): RedisCommand {
  if (name === undefined || name.length === 0) throw new RequestError(400, 'ERR empty command');
  return { name: name.toString().toUpperCase(), args };
}
