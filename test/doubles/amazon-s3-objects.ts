import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { answerObject } from './answer-object.ts';
import { refuse, type S3Refusal } from './verify-s3.ts';

export interface S3Stored {
  bytes: Buffer;
  /** Answered with it, as `content-type` and `content-encoding`. */
  headers: Record<string, string>;
}

export type S3Objects = Map<string, S3Stored>;

export interface S3Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

const keptHeaders = [
  'content-type',
  'content-encoding',
  'content-disposition',
  'content-language',
  'cache-control',
  'expires',
];

const etagOf = ({ bytes }: S3Stored): string => `"${hash('md5', bytes)}"`;

const pickKept = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

/** PutObject. */
export function putObject(
  objects: S3Objects,
  key: string,
  headers: IncomingHttpHeaders,
  bytes: Buffer,
): S3Answer | S3Refusal {
  if (headers['content-length'] === undefined) return refuse(411, 'MissingContentLength');
  const condition = headers['if-none-match'];
  if (condition !== undefined && condition !== '*') return refuse(501, 'NotImplemented');
  if (condition === '*' && objects.has(key)) return refuse(412, 'PreconditionFailed');
  const stored = { bytes, headers: { 'content-type': 'binary/octet-stream', ...pickKept(headers) } };
  objects.set(key, stored);
  return { status: 200, headers: { etag: etagOf(stored) } };
}

/** CopyObject within the bucket. */
export function copyObject(
  objects: S3Objects,
  bucket: string,
  key: string,
  headers: IncomingHttpHeaders,
): S3Answer | S3Refusal {
  const [, name, path = ''] = /^\/?([^/]+)\/(.+)$/.exec(String(headers['x-amz-copy-source'])) ?? [];
  if (name !== bucket) return refuse(404, 'NoSuchBucket');
  const source = decodeURIComponent(path);
  const found = objects.get(source);
  if (!found) return refuse(404, 'NoSuchKey');
  const wanted = headers['x-amz-copy-source-if-match'];
  if (wanted !== undefined && wanted !== etagOf(found)) return refuse(412, 'PreconditionFailed');
  const isReplaced = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (source === key && !isReplaced)
    return refuse(400, 'InvalidRequest', 'a copy onto itself changes nothing');
  const copy = { bytes: found.bytes, headers: isReplaced ? pickKept(headers) : found.headers };
  objects.set(key, copy);
  const document = `<CopyObjectResult><ETag>${etagOf(copy)}</ETag></CopyObjectResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: document };
}

/** GetObject and HeadObject. */
export function getObject(objects: S3Objects, key: string, range: string | undefined): S3Answer | S3Refusal {
  const stored = objects.get(key);
  if (!stored) return refuse(404, 'NoSuchKey', 'The specified key does not exist.');
  const { bytes } = stored;
  const headers = { ...stored.headers, etag: etagOf(stored), 'accept-ranges': 'bytes' };
  return answerObject(bytes, headers, range) ?? refuse(416, 'InvalidRange');
}

/** A page is short, so that tests need a second one. */
const pageKeys = 3;

/** ListObjectsV2. */
export function listObjects(objects: S3Objects, query: URLSearchParams): S3Answer {
  const [prefix, token] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > token).sort();
  const page = keys.slice(0, pageKeys);
  const isCut = keys.length > page.length;
  const parts = [
    ...page.map((key) => `<Contents><Key>${key}</Key></Contents>`),
    `<KeyCount>${page.length}</KeyCount><IsTruncated>${isCut}</IsTruncated>`,
    ...(isCut ? [`<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`] : []),
  ];
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</ListBucketResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
