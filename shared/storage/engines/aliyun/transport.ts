import type { IncomingHttpHeaders } from 'node:http';
import { type Exchange, exchange } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import type { Answer } from '#shared/net/read-answer.ts';

/** What the SDK asks its HTTP client for, as far as this engine comes to it. */
export interface SdkRequest {
  method: Exchange['method'];
  headers: Record<string, string>;
  content?: Buffer;
  /** In milliseconds. */
  timeout: number;
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

/** Sends the SDK's requests through guarded connections. */
export const transport: Transport = {
  async request(url, { method, headers: given, content, timeout: timeoutMs }) {
    // For endpoints that are addresses the SDK names another host, which fits neither bound domains nor paths.
    const { host: _host, ...headers } = given;
    const body = content ? [content] : [];
    try {
      return toAnswer(await exchange({ url, method, headers, body, timeoutMs, maxBytes: limitOf(given) }));
    } catch (error) {
      throw error instanceof OutboundError ? new TransportError(error.message) : error;
    }
  },
};

function toAnswer({ status, headers, bytes }: Answer): SdkAnswer {
  // Every answer of OSS has it; what stands before it, or in its place, answers without.
  if (!headers['x-oss-request-id']) throw new TransportError(`the answer is none of OSS (status ${status})`);
  return { status, headers, data: bytes.length > 0 ? bytes : errorOf(headers), res: { status, headers } };
}

/** The XML of an error, which has no body to stand in where it answers HEAD. */
function errorOf(headers: IncomingHttpHeaders): Buffer {
  return Buffer.from(String(headers['x-oss-err'] ?? ''), 'base64');
}

/** Most bytes that an answer may have. */
function limitOf({ Range = '' }: Record<string, string>): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(Range) ?? [];
  return spareBytes + (last === undefined ? 0 : Number(last) - Number(first) + 1);
}
