import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** An object of the double. */
export interface DoubleObject {
  body: Buffer;
  metadata: Record<string, string>;
}

/** Objects by bucket and key: `bucket/key`. */
export type DoubleObjects = Map<string, DoubleObject>;

interface Request {
  method: string;
  /** With its query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const pageSize = 2;
const toEtag = ({ body }: DoubleObject): string => `"${createHash('md5').update(body).digest('hex')}"`;
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const fault = (code: string): string => `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;

/** Answers as S3 does, with buckets in the path. Every bucket exists that is not missing. */
export function answerS3(
  { objects, missingBuckets }: { objects: DoubleObjects; missingBuckets: ReadonlySet<string> },
  request: Request,
  response: ServerResponse,
): void {
  const { pathname, searchParams } = new URL(request.url, 'http://s3.test');
  const path = decodeURIComponent(pathname.slice(1));
  if (missingBuckets.has(path.split('/')[0] ?? '')) {
    send(response, 404, request.method === 'HEAD' ? '' : fault('NoSuchBucket'));
    return;
  }
  if (searchParams.has('delete')) {
    removeAll(objects, path, request, response);
    return;
  }
  if (request.method === 'PUT') {
    put(objects, path, request, response);
    return;
  }
  if (!path.replace(/\/$/, '').includes('/')) {
    send(response, 200, searchParams.has('list-type') ? list(objects, path, searchParams) : '');
    return;
  }
  const found = objects.get(path);
  if (!found) {
    send(response, 404, request.method === 'HEAD' ? '' : fault('NoSuchKey'));
    return;
  }
  const metadata = Object.entries(found.metadata).map(([key, value]) => [`x-amz-meta-${key}`, value]);
  const length = found.body.length;
  const headers = { ...Object.fromEntries(metadata), etag: toEtag(found), 'content-length': length };
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : found.body);
}

const send = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
};

function put(objects: DoubleObjects, path: string, { headers, body }: Request, response: ServerResponse) {
  const old = objects.get(path);
  const expected = headers['if-match'];
  const isRefused =
    (headers['if-none-match'] === '*' && old) || (expected && (!old || toEtag(old) !== expected));
  if (isRefused) {
    send(response, 412, fault('PreconditionFailed'));
    return;
  }
  const metadata = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') ? [[name.slice('x-amz-meta-'.length), String(value)]] : [],
    ),
  );
  const stored = { body, metadata };
  objects.set(path, stored);
  response.writeHead(200, { etag: toEtag(stored) }).end();
}

function list(objects: DoubleObjects, path: string, query: URLSearchParams): string {
  const bucket = path.replace(/\/$/, '');
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const entries = page.map(
    (key) => `<Contents><Key>${escapeXml(key.slice(bucket.length + 1))}</Key></Contents>`,
  );
  const next = `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>`;
  const isMore = keys.length > page.length;
  return `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${isMore ? next : ''}${entries.join('')}</ListBucketResult>`;
}

function removeAll(objects: DoubleObjects, path: string, { body }: Request, response: ServerResponse): void {
  const bucket = path.replace(/\/$/, '');
  for (const [, key = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
    objects.delete(`${bucket}/${key}`);
  send(response, 200, '<DeleteResult></DeleteResult>');
}
