import { lookup as resolveName } from 'node:dns';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { environment } from '#shared/config/environment.ts';
import { parseTarget } from './endpoint.ts';
import { OutboundError } from './outbound-error.ts';
import { guardLookup, type OutboundPolicy } from './public-address.ts';

/** Of any status except a redirect. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Untrusted. */
  bytes: Buffer;
}

export interface Exchange {
  /** Absolute http or https URL. */
  url: string;
  /** @default 'GET' */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent one after the other, byte for byte. */
  body?: readonly Uint8Array[];
  /** How long it may take in all, in milliseconds; from 0 down, nothing is sent. */
  timeoutMs: number;
  /** Most bytes of the answer. */
  maxBytes: number;
  /** Whether a longer answer is cut off instead of failing. @default false */
  isCut?: boolean;
  /**
   * Whether it may be sent twice. It then uses a kept connection, and a new one if that was lost: a function's
   * sockets die while it is frozen. Any other request is sent once, over a new connection.
   *
   * @default true for GET, HEAD and DELETE. The repetition of a PUT that must not overwrite would fail
   */
  isRepeatable?: boolean;
}

const repeatable: readonly string[] = ['GET', 'HEAD', 'DELETE'];

/**
 * Sends a request and reads the answer to its end. Each new connection checks its address. The HTTP clients of
 * the storage SDKs do not fit: they follow redirects, limit neither size nor total time, and fail on connections
 * that a frozen function has lost. `fetch` would load undici, which takes a cold start as long as Node itself.
 *
 * @throws OutboundError with the reason of the failure; a redirect is a failure, never followed
 */
export async function exchange(request: Exchange, agents = guardedAgents()): Promise<Answer> {
  const { url, timeoutMs } = request;
  const target = parseTarget(url, agents.allowPrivate);
  const { hostname } = target;
  const timeout = new OutboundError('timeout', `no whole answer from ${hostname} in ${timeoutMs} ms`);
  if (timeoutMs <= 0) throw timeout;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await readAnswer(await send(target, request, agents, signal), hostname, request);
  } catch (error) {
    if (signal.aborted) throw timeout;
    if (error instanceof OutboundError) throw error;
    const { code, name } = error as NodeJS.ErrnoException;
    throw new OutboundError('unreachable', `${hostname} cannot be reached (${code ?? name})`);
  } finally {
    clearTimeout(timer);
  }
}

function send(
  target: URL,
  request: Exchange,
  agents: GuardedAgents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { method = 'GET', headers, body = [], isRepeatable = repeatable.includes(method) } = request;
  const pool = isRepeatable ? agents : agents.fresh;
  const [client, agent] = target.protocol === 'https:' ? [https, pool.https] : [http, pool.http];
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const outgoing = client.request(target, { method, headers, agent, signal }, (incoming) => {
      isAnswered = true;
      resolve(incoming);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // Only a repeatable request reuses a socket.
      const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale && !isAnswered && !signal.aborted) resolve(send(target, request, agents, signal));
      else reject(error);
    });
    write(outgoing, body);
  });
}

function write(outgoing: http.ClientRequest, body: readonly Uint8Array[]): void {
  const sizeBytes = body.reduce((sum, { length }) => sum + length, 0);
  if (body.length > 0 && !outgoing.hasHeader('content-length'))
    outgoing.setHeader('content-length', sizeBytes);
  for (const part of body) outgoing.write(part);
  outgoing.end();
}

async function readAnswer(
  incoming: IncomingMessage,
  hostname: string,
  { maxBytes, isCut = false }: Exchange,
): Promise<Answer> {
  const { statusCode: status = 0, headers } = incoming;
  if (status >= 300 && status < 400) {
    incoming.destroy();
    throw new OutboundError('redirect', `${hostname} answered a redirect (status ${status})`, status);
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of incoming) {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      // Leaving the loop closes the connection.
      if (sizeBytes > maxBytes) break;
    }
  } catch {
    throw new OutboundError('unreachable', `the answer of ${hostname} broke off`, status);
  }
  if (sizeBytes > maxBytes && !isCut) {
    const message = `the answer of ${hostname} is longer than ${maxBytes} bytes`;
    throw new OutboundError('too_large', message, status);
  }
  return { status, headers, bytes: Buffer.concat(chunks) };
}

/** Creates agents that connect only to allowed addresses, over kept connections; `fresh` ones open a new one each. */
export function createGuardedAgents({ allowPrivate, lookup = resolveName }: OutboundPolicy) {
  const checkedLookup = allowPrivate ? lookup : guardLookup(lookup);
  const create = (keepAlive: boolean) => {
    const options = { keepAlive, lookup: checkedLookup };
    return { http: new http.Agent(options), https: new https.Agent(options) };
  };
  return { ...create(true), allowPrivate, fresh: create(false) };
}

type GuardedAgents = ReturnType<typeof createGuardedAgents>;
let current: GuardedAgents | undefined;

/** The agents of this process; the environment sets the policy. */
export const guardedAgents = (): GuardedAgents =>
  (current ??= createGuardedAgents({ allowPrivate: environment().allowPrivateEndpoints }));
