import { commands } from '#shared/cache/protocol.ts';

/** A command of Redis that the service sends, in lower case. */
export type CommandName = (typeof commands)[number];

export interface RedisCommand {
  readonly name: CommandName;
  readonly args: readonly string[];
}

export type Reply = null | number | string | readonly Reply[];

export type Outcome = { readonly result: Reply } | { readonly error: string };

/** Converts a value of a client library. Values that Redis cannot answer become null. */
export function toReply(value: unknown): Reply {
  if (typeof value === 'number' || typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(toReply) : null;
}

export interface RedisStore {
  /** Runs commands in order, also after a failed one. */
  run(commands: readonly RedisCommand[]): Promise<Outcome[]>;
  close(): Promise<void>;
}

/** A request that is refused before its commands run. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(`ERR ${message}`);
    this.status = status;
  }
}

/** An unknown command is an error in its place. */
interface RedisRequest {
  readonly isPipeline: boolean;
  readonly commands: readonly (RedisCommand | { readonly error: string })[];
}

/**
 * Reads the commands of a JSON body: one at `/`, a list of them at `/pipeline`.
 *
 * @throws RequestError for a path or body that is not offered
 */
export function parseRequest(path: string, body: string): RedisRequest {
  if (path !== '/' && path !== '/pipeline') throw new RequestError(404, 'only / and /pipeline are offered');
  const isPipeline = path === '/pipeline';
  const rows = isPipeline ? parseJson(body) : [parseJson(body)];
  if (!Array.isArray(rows) || rows.length === 0)
    throw new RequestError(400, 'a list of commands is expected');
  return { isPipeline, commands: rows.map(toCommand) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'the request body is not valid JSON');
  }
}

function toCommand(row: unknown): RedisRequest['commands'][number] {
  if (!Array.isArray(row) || row.length === 0) {
    throw new RequestError(400, 'a command is a list of its name and arguments');
  }
  const [word = '', ...args] = row.map(toArgument);
  const name = commands.find((known) => known === word.toLowerCase());
  return name ? { name, args } : { error: `ERR unknown command '${word}'` };
}

function toArgument(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new RequestError(400, 'command arguments must be strings, numbers or booleans');
}

/**
 * Renders the answer to one command.
 *
 * @param isBase64 encodes strings, for `Upstash-Encoding: base64`; clients expect a plain `OK`
 */
export function renderOutcome(outcome: Outcome, isBase64: boolean): Outcome {
  if ('error' in outcome || !isBase64 || outcome.result === 'OK') return outcome;
  return { result: encode(outcome.result) };
}

function encode(reply: Reply): Reply {
  if (reply === null || typeof reply === 'number') return reply;
  return typeof reply === 'string' ? Buffer.from(reply).toString('base64') : reply.map(encode);
}
