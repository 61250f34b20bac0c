import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.ts';

/** Upstash's own limit of a request, in bytes. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Reads a request's body.
 *
 * @throws RequestError 400 as soon as it is larger than 10 MB.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new RequestError(400, `ERR max request size exceeded. Limit: ${MAX_BODY_BYTES} bytes`));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}
