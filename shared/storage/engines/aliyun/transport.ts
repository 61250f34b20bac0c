import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { guardedAgents } from '#shared/outbound/guarded-agents.ts';
import { OutboundError } from '#shared/outbound/outbound-error.ts';

/** What the SDK asks its HTTP client for, as far as this engine comes to it. */
export interface SdkRequest {
  method: string;
  headers: Record<string, string>;
  content?: Buffer;
}

/** An answer as the SDK reads it. */
export interface SdkAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  data: Buffer;
  res: { status: number; headers: IncomingHttpHeaders };
}

/** An HTTP client in the place of the SDK's. */
export interface Transport {
  request(url: string, request: SdkRequest): Promise<SdkAnswer>;
}

/** Nobody answered, or something else than OSS. Its message names the host and nothing more of the URL. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** By this the SDK knows that there is no answer, and keeps the message. */
  readonly status = -1;
}

/** Room for an error's XML above what a range brings. */
const spareBytes = 65_536;

/**
 * Sends the SDK's requests within `timeoutMs`, through guarded connections. The SDK's own client is not used:
 * it counts the time of connecting apart, reads answers of any length into memory, stumbles over connections
 * that a frozen function has lost, and its errors quote URLs and headers.
 */
export function createTransport(timeoutMs: number): Transport {
  return {
    async request(url, request) {
      const target = new URL(url);
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        return await toAnswer(await send(target, request, signal), limitOf(request));
      } catch (error) {
        if (signal.aborted) throw new TransportError(`no answer from ${target.hostname} in ${timeoutMs} ms`);
        throw toTransportError(error, target.hostname);
      }
    },
  };
}

function send(target: URL, request: SdkRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const agents = guardedAgents();
  const [client, agent] = target.protocol === 'https:' ? [https, agents.https] : [http, agents.http];
  // For endpoints that are addresses the SDK names another host, which fits neither bound domains nor paths.
  const { host: _host, ...headers } = request.headers;
  return new Promise((resolve, reject) => {
    const outgoing = client.request(target, { method: request.method, headers, agent, signal }, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A frozen function's sockets are reset while it sleeps: the request never arrived.
      const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale && !signal.aborted) resolve(send(target, request, signal));
      else reject(error);
    });
    outgoing.end(request.content);
  });
}

async function toAnswer(incoming: IncomingMessage, maxBytes: number): Promise<SdkAnswer> {
  const { statusCode: status = 0, headers } = incoming;
  const isRedirect = status >= 300 && status < 400;
  // Every answer of OSS has it; what stands before it, or in its place, answers without.
  if (isRedirect || !headers['x-oss-request-id']) {
    incoming.destroy();
    throw new TransportError(`the answer is ${isRedirect ? 'a redirect' : 'none of OSS'} (status ${status})`);
  }
  const body = await read(incoming, maxBytes);
  return { status, headers, data: body.length > 0 ? body : errorOf(headers), res: { status, headers } };
}

/** The XML of an error, which has no body to stand in where it answers HEAD. */
function errorOf(headers: IncomingHttpHeaders): Buffer {
  return Buffer.from(String(headers['x-oss-err'] ?? ''), 'base64');
}

async function read(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    // Leaving the loop closes the connection.
    if (sizeBytes > maxBytes) throw new TransportError(`the answer is longer than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

/** Most bytes that an answer may have. */
function limitOf({ headers }: SdkRequest): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.Range ?? '') ?? [];
  return spareBytes + (last === undefined ? 0 : Number(last) - Number(first) + 1);
}

function toTransportError(error: unknown, hostname: string): TransportError {
  if (error instanceof TransportError) return error;
  if (error instanceof OutboundError) return new TransportError(error.message);
  const { code, name } = error as NodeJS.ErrnoException;
  return new TransportError(`${hostname} cannot be reached (${code ?? name})`);
}
