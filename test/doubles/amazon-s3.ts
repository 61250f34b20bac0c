import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  copyObject,
  getObject,
  listObjects,
  putObject,
  type S3Answer,
  type S3Objects,
} from './amazon-s3-objects.ts';
import { type RunningDouble, serveRaw } from './serve.ts';
import {
  isSigned,
  refuse,
  type S3Refusal,
  type S3Request,
  type S3Secret,
  verifyS3Request,
} from './verify-s3.ts';

export interface AmazonS3Rules {
  bucket: string;
  region: string;
  /** Secrets by access key. */
  keys: Record<string, S3Secret>;
}

export interface AmazonS3Double extends RunningDouble {
  /** The bucket at a host of its own, where its files are public: `http://localhost:<port>`. */
  boundUrl: string;
  objects: S3Objects;
  /** What came, in order, as `PUT /bucket/key`. */
  requests: string[];
  /** Offset of its clock, in seconds. */
  clockSeconds: number;
  /** Answers in place of the service if it is set and returns true. */
  misbehave?(incoming: IncomingMessage, response: ServerResponse): boolean;
}

/** The part of keys that everybody may read. */
const publicPrefix = 'uploads/';

/**
 * One bucket of Amazon S3, by the public documentation of its API: at `url` with the bucket in the path, at `boundUrl`
 * with a host for the bucket.
 */
export async function startAmazonS3({ bucket, region, keys }: AmazonS3Rules): Promise<AmazonS3Double> {
  const objects: S3Objects = new Map();
  const gate = { keys, region, now: () => Date.now() + double.clockSeconds * 1000 };

  function findKey({ url, headers }: S3Request): string | undefined {
    const path = decodeURIComponent(new URL(url, double.url).pathname.slice(1));
    if (path.startsWith(`${bucket}/`)) return path.slice(bucket.length + 1);
    return headers.host === new URL(double.boundUrl).host ? path : undefined;
  }

  /** The parameters of a list of the bucket; undefined for other requests. */
  function findList({ method, url, headers }: S3Request): URLSearchParams | undefined {
    const { pathname, searchParams } = new URL(url, double.url);
    const isBound = headers.host === new URL(double.boundUrl).host && pathname === '/';
    const isBucket = isBound || pathname.replace(/\/$/, '') === `/${bucket}`;
    return method === 'GET' && isBucket && searchParams.get('list-type') === '2' ? searchParams : undefined;
  }

  function answer(request: S3Request): S3Answer | S3Refusal {
    const { method, headers, body } = request;
    const isReading = method === 'GET' || method === 'HEAD';
    const listed = findList(request);
    if (listed) return verifyS3Request(request, gate) ?? listObjects(objects, listed);
    const key = findKey(request);
    if (!key) return refuse(404, 'NoSuchBucket');
    const isOpen = isReading && key.startsWith(publicPrefix);
    const refusal = isSigned(request)
      ? verifyS3Request(request, gate)
      : isOpen
        ? undefined
        : refuse(403, 'AccessDenied');
    if (refusal) return refusal;
    if (isReading) return getObject(objects, key, headers.range);
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (method !== 'PUT') return refuse(405, 'MethodNotAllowed');
    if (headers['x-amz-copy-source'] !== undefined) return copyObject(objects, bucket, key, headers);
    return putObject(objects, key, headers, body);
  }

  const running = await serveRaw(async (incoming, response) => {
    const { method = '', url = '/', headers } = incoming;
    double.requests.push(`${method} ${decodeURIComponent(url.split('?')[0] ?? '')}`);
    if (double.misbehave?.(incoming, response)) return;
    const given = answer({ method, url, headers, body: await buffer(incoming) });
    response.setHeader('date', new Date(gate.now()).toUTCString());
    write(response, 'code' in given ? toDocument(given) : given);
  });
  const boundUrl = running.url.replace('127.0.0.1', 'localhost');
  const double: AmazonS3Double = { ...running, boundUrl, objects, requests: [], clockSeconds: 0 };
  return double;
}

const toText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const toDocument = ({ status, code, message }: S3Refusal): S3Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${toText(message)}</Message></Error>`,
});

function write(response: ServerResponse, { status, headers, body = '' }: S3Answer): void {
  const bytes = Buffer.from(body);
  response.statusCode = status;
  const own = { server: 'AmazonS3', 'x-amz-request-id': randomUUID() };
  for (const [name, value] of Object.entries({ ...own, ...headers })) response.setHeader(name, value);
  if (status !== 204) response.setHeader('content-length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
