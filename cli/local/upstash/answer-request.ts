import type { IncomingMessage } from 'node:http';
import { isAuthorized } from './is-authorized.ts';
import { parseRequest } from './parse-request.ts';
import { readBody } from './read-body.ts';
import { type Outcome, type RedisBackend, type RedisCommand, RedisError } from './redis-backend.ts';
import { renderOutcome } from './render-reply.ts';
import { RequestError } from './request-error.ts';
import type { ScriptAliases } from './script-aliases.ts';

const METHODS = new Set(['HEAD', 'GET', 'POST', 'PUT']);

/** What every request of one endpoint shares. */
export interface EndpointContext {
  readonly token: string;
  readonly backend: RedisBackend;
  readonly aliases: ScriptAliases;
}

/** An HTTP answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Answers one request; whatever goes wrong is an answer too.
 *
 * @returns The status and the JSON body.
 */
export async function answerRequest(request: IncomingMessage, context: EndpointContext): Promise<Answer> {
  try {
    return await run(request, context);
  } catch (error) {
    if (error instanceof RequestError) return { status: error.status, body: { error: error.message } };
    if (error instanceof RedisError) return { status: 400, body: { error: error.message } };
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, body: { error: `ERR ${message}` } };
  }
}

async function run(request: IncomingMessage, { token, backend, aliases }: EndpointContext): Promise<Answer> {
  const [path = '/', ...search] = (request.url ?? '/').split('?');
  const query = new URLSearchParams(search.join('?'));
  if (!METHODS.has(request.method ?? '')) throw new RequestError(405, 'ERR method not allowed');
  if (!isAuthorized(request, query, token))
    throw new RequestError(401, 'WRONGPASS invalid or missing auth token');
  if ((request.headers['upstash-response-format'] ?? 'json') !== 'json') {
    throw new RequestError(400, 'ERR only the response format json is offered here');
  }
  const isBase64 = request.headers['upstash-encoding'] === 'base64';
  const { kind, commands } = parseRequest(path, query, await readBody(request));
  const sent = commands.map((command) => aliases.toBackend(command));
  const outcomes = await (kind === 'multi-exec' ? backend.transact(sent) : backend.run(sent));
  const bodies = outcomes.map((outcome, index) =>
    renderOutcome(restoreSha(aliases, commands[index], outcome), isBase64),
  );
  if (kind !== 'single') return { status: 200, body: bodies };
  const [body] = bodies;
  return { status: body && 'result' in body ? 200 : 400, body };
}

function restoreSha(aliases: ScriptAliases, command: RedisCommand | undefined, outcome: Outcome): Outcome {
  if (command === undefined || 'error' in outcome) return outcome;
  return { result: aliases.toClient(command, outcome.result) };
}
