import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type GuardedAgents, guardedAgents } from './guarded-agents.ts';
import { OutboundError } from './outbound-error.ts';
import { parseTarget } from './parse-target.ts';
import { type Answer, type AnswerLimit, readAnswer } from './read-answer.ts';

/** A request of bytes for bytes. */
export interface Exchange extends AnswerLimit {
  /** Absolute http or https URL; plain http is spoken only where it says so. */
  url: string;
  /** @default 'GET' */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent one after the other, byte for byte. */
  body?: readonly Uint8Array[];
  /** How long it may take in all, in milliseconds; nothing is sent where no time is left. */
  timeoutMs: number;
  /**
   * Whether it may be carried out twice. It then takes a connection that was kept, and another one where that
   * turns out to be lost before an answer: a function's sockets die while it is frozen. What may not is sent
   * once, over a new connection, so that it does not come to nothing for a lost one.
   *
   * @default true for GET, HEAD and DELETE; a PUT that does not overwrite is refused by what it stored itself
   */
  isRepeatable?: boolean;
}

const repeatable: readonly string[] = ['GET', 'HEAD', 'DELETE'];

/** A request under way. */
interface Sending {
  target: URL;
  request: Exchange;
  agents: GuardedAgents;
  signal: AbortSignal;
}

/**
 * Sends a request and reads the answer to its end, through connections that are checked as they are made. The
 * clients of the vendors' SDKs are not used for it: they follow redirects, read without a limit, have no limit
 * of time for a whole call and stumble over connections that a frozen function has lost. `fetch` would load
 * undici, which costs a cold start as much as Node itself.
 *
 * @throws OutboundError whose `reason` says why there is no answer; a redirect is a failure, never followed
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
    return await readAnswer(await send({ target, request, agents, signal }), hostname, request);
  } catch (error) {
    throw signal.aborted ? timeout : toOutboundError(error, hostname);
  } finally {
    clearTimeout(timer);
  }
}

function send(sending: Sending): Promise<IncomingMessage> {
  const { target, request, agents, signal } = sending;
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
      // Only repeatable requests reuse sockets.
      const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale && !isAnswered && !signal.aborted) resolve(send(sending));
      else reject(error);
    });
    write(outgoing, body);
  });
}

function write(outgoing: http.ClientRequest, body: readonly Uint8Array[]): void {
  if (body.length > 0 && !outgoing.hasHeader('content-length')) {
    outgoing.setHeader(
      'content-length',
      body.reduce((sum, { length }) => sum + length, 0),
    );
  }
  for (const part of body) outgoing.write(part);
  outgoing.end();
}

function toOutboundError(error: unknown, hostname: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  return new OutboundError('unreachable', `${hostname} cannot be reached (${code ?? name})`);
}
