import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.ts';

/** Upstash's own limit of a request, in bytes. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Reads a request's body.
 *
 * @throws RequestError 400 as soon as it is larger than 10 MB.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) {
      throw new RequestError(400, `ERR max request size exceeded. Limit: ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
