import type { IncomingMessage, ServerResponse } from 'node:http';
import { type QiniuGate, verifyDownload } from './qiniu-signatures.ts';
import type { KodoObject } from './qiniu-upload.ts';

export interface Download {
  incoming: IncomingMessage;
  response: ServerResponse;
  objects: Map<string, KodoObject>;
  /** Undefined for a public bucket. */
  gate: QiniuGate | undefined;
}

/** Answers as a bucket's domain does: whole files and single ranges, by signed links if the bucket requires them. */
export function answerDownload({ incoming, response, objects, gate }: Download): void {
  const { url = '/', headers } = incoming;
  const refuse = (status: number, error: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  const refusal = gate && verifyDownload(`http://${headers.host}${url}`, gate);
  if (refusal) return void refuse(refusal.status, refusal.error);
  const object = objects.get(decodeURIComponent((url.split('?')[0] ?? '').slice(1)));
  if (!object) return void refuse(404, 'Document not found');
  const { bytes, mimeType, hash } = object;
  const type = { 'content-type': mimeType, etag: `"${hash}"`, 'accept-ranges': 'bytes' };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) return void response.writeHead(200, type).end(bytes);
  const [start, end] = [Number(from), Math.min(to ? Number(to) + 1 : bytes.length, bytes.length)];
  if (start >= bytes.length || (to && Number(to) < start)) {
    return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
  }
  const range = `bytes ${start}-${end - 1}/${bytes.length}`;
  response.writeHead(206, { ...type, 'content-range': range }).end(bytes.subarray(start, end));
}
