import { lookup as resolveName } from 'node:dns';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { environment } from '#shared/config/environment.ts';
import { parseTarget } from './endpoint.ts';
import { Deadline, readBytes, send } from './http-client.ts';
import { OutboundError } from './outbound-error.ts';
import { guardLookup, type OutboundPolicy } from './public-address.ts';

/** An answer of any status except a redirect. */
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
  const { url, method = 'GET', headers, body = [], timeoutMs } = request;
  const parsed = parseTarget(url, agents.allowPrivate);
  const { hostname, protocol } = parsed;
  const timeout = new OutboundError('timeout', `no whole answer from ${hostname} in ${timeoutMs} ms`);
  if (timeoutMs <= 0) throw timeout;
  const { isRepeatable = repeatable.includes(method) } = request;
  const pool = isRepeatable ? agents : agents.fresh;
  const agent = protocol === 'https:' ? pool.https : pool.http;
  const deadline = new Deadline(timeoutMs);
  try {
    const target = urlToHttpOptions(parsed);
    const incoming = await send({ target, method, headers, body, agent, deadline });
    return await readAnswer(incoming, hostname, request);
  } catch (error) {
    if (deadline.isOver) throw timeout;
    if (error instanceof OutboundError) throw error;
    const { code, name } = error as NodeJS.ErrnoException;
    throw new OutboundError('unreachable', `${hostname} cannot be reached (${code ?? name})`);
  } finally {
    deadline.stop();
  }
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
  const bytes = await readBytes(incoming, maxBytes).catch(() => {
    throw new OutboundError('unreachable', `the answer of ${hostname} broke off`, status);
  });
  if (bytes.length > maxBytes && !isCut) {
    const message = `the answer of ${hostname} is longer than ${maxBytes} bytes`;
    throw new OutboundError('too_large', message, status);
  }
  return { status, headers, bytes };
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
