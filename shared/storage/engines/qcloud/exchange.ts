import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { guardedAgents } from '#shared/outbound/guarded-agents.ts';
import { OutboundError } from '#shared/outbound/outbound-error.ts';

/** A request of bytes for bytes. */
export interface Exchange {
  method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: Uint8Array;
  /** Most bytes of the answer. */
  maxBytes: number;
  /** Ends the request, wherever it is by then. */
  signal: AbortSignal;
}

/** An answer, whatever its status but a redirect. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * Sends a request and reads the answer to its end. The SDK's own client is not used for it: it parses answers
 * where an exception ends the process, and malformed XML throws; it reads without a limit, has no limit of
 * time for a whole call, repeats writes and lets variables of the environment send requests elsewhere.
 *
 * @throws OutboundError whose `reason` says why there is no answer; its message names the host alone
 */
export async function exchange(target: URL, request: Exchange): Promise<Answer> {
  try {
    const incoming = await send(target, request);
    const { statusCode: status = 0, headers } = incoming;
    if (status >= 300 && status < 400) {
      incoming.destroy();
      throw new OutboundError('redirect', `${target.hostname} answered a redirect (${status})`, status);
    }
    return { status, headers, bytes: await read(incoming, target, request.maxBytes) };
  } catch (error) {
    if (!request.signal.aborted) throw toOutboundError(error, target);
    throw new OutboundError('timeout', `no whole answer from ${target.hostname} in time`);
  }
}

function send(target: URL, request: Exchange): Promise<IncomingMessage> {
  const { method, headers, body, signal } = request;
  const agents = guardedAgents();
  const [client, agent] = target.protocol === 'https:' ? [https, agents.https] : [http, agents.http];
  return new Promise((resolve, reject) => {
    const outgoing = client.request(target, { method, headers, agent, signal }, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A frozen function's sockets are reset while it sleeps. A PUT that was cut may have been carried out,
      // and would be refused by what it stored itself: a HEAD goes before each and meets the dead socket.
      const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale && method !== 'PUT' && !signal.aborted) resolve(send(target, request));
      else reject(error);
    });
    outgoing.end(body);
  });
}

async function read(incoming: IncomingMessage, target: URL, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    // Leaving the loop closes the connection.
    if (sizeBytes > maxBytes) throw new OutboundError('too_large', `${target.hostname} answered too much`);
  }
  return Buffer.concat(chunks);
}

function toOutboundError(error: unknown, { hostname }: URL): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  return new OutboundError('unreachable', `${hostname} cannot be reached (${code ?? name})`);
}
