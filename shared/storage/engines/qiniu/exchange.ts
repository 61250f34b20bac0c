import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { environment } from '#shared/config/environment.ts';
import { guardedAgents } from '#shared/outbound/guarded-agents.ts';
import { OutboundError } from '#shared/outbound/outbound-error.ts';
import { parseTarget } from '#shared/outbound/parse-target.ts';

/** A request of bytes for bytes. */
export interface Exchange {
  /** Absolute. */
  url: string;
  /** @default 'GET' */
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Sent one after the other; their length is announced by `headers`. */
  body?: readonly Uint8Array[];
  /** When to give up, in milliseconds since 1970, wherever the request is by then. */
  deadline: number;
  /** Reading ends soon after so many bytes of the answer. */
  maxBytes: number;
}

/** An answer, whatever its status but a redirect. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * Sends what it is given and reads what comes back. The SDK's own client is not used for it: it follows
 * redirects, reads without a limit, has no time limit for a whole call and stumbles over connections that a
 * frozen function has lost.
 *
 * @throws OutboundError whose `reason` says why there is no answer; its message names the host alone
 */
export async function exchange(request: Exchange): Promise<Answer> {
  const target = parseTarget(request.url, environment().allowPrivateEndpoints);
  const signal = AbortSignal.timeout(Math.max(0, request.deadline - Date.now()));
  try {
    const incoming = await send(target, request, signal);
    const { statusCode: status = 0, headers } = incoming;
    if (status >= 300 && status < 400) {
      incoming.destroy();
      throw new OutboundError('redirect', `${target.hostname} answered a redirect (${status})`, status);
    }
    return { status, headers, bytes: await read(incoming, request.maxBytes) };
  } catch (error) {
    throw signal.aborted
      ? new OutboundError('timeout', `no whole answer from ${target.hostname} in time`)
      : toOutboundError(error, target.hostname);
  }
}

function send(target: URL, request: Exchange, signal: AbortSignal): Promise<IncomingMessage> {
  const { method = 'GET', headers, body = [] } = request;
  const agents = guardedAgents();
  const [client, agent] = target.protocol === 'https:' ? [https, agents.https] : [http, agents.http];
  return new Promise((resolve, reject) => {
    const outgoing = client.request(target, { method, headers, agent, signal }, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A frozen function's sockets are reset while it sleeps: the request never arrived.
      const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale && !signal.aborted) resolve(send(target, request, signal));
      else reject(error);
    });
    for (const part of body) outgoing.write(part);
    outgoing.end();
  });
}

async function read(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    // Leaving the loop closes the connection.
    if (sizeBytes > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

function toOutboundError(error: unknown, hostname: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  return new OutboundError('unreachable', `${hostname} cannot be reached (${code ?? name})`);
}
