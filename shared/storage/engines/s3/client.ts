import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type Answer, type Exchange, exchange } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import type { ByteSpan, SignedLink } from '../../engine.ts';
import { toDisposition } from '../../naming/disposition.ts';
import { openEndpoint, secondsUntil, toPath, toRangeHeader } from '../cloud-requests.ts';
import type { S3Settings } from './settings.ts';

/** A refusal of S3. The message holds no text of the answer, which may quote the request with its signature. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** As S3 names it; `-` if the answer holds none. */
  readonly code: string;

  constructor(code: string, status: number) {
    super(`S3 answered ${code} (status ${status})`);
    this.code = code;
  }
}

/** How long caches keep a file. An object never changes, but it can be deleted. */
export const cacheControl = 'public, max-age=86400';

/**
 * The headers of a direct upload that its client sets; every client adds `content-length`. Without `cache-control`,
 * browsers add one because of `if-none-match`, and S3 would keep it with the file.
 */
const toUploadHeaders = (contentType: string) => ({
  'content-type': contentType,
  'if-none-match': '*',
  'cache-control': cacheControl,
});

/** Calls of one bucket. Each may throw {@link S3Error} or an `OutboundError`. */
export type S3Bucket = ReturnType<typeof openBucket>;

/** Opens a bucket with complete settings. @throws AppError `storage.unavailable` for a denied endpoint */
export function openBucket(settings: S3Settings) {
  const client = createClient(settings);
  const toInput = (Key: string) => ({ Bucket: settings.bucket, Key });
  const toWrite = (key: string, ContentType: string) => ({
    ...toInput(key),
    ContentType,
    CacheControl: cacheControl,
  });
  const within = (deadline: number) => ({ requestTimeout: deadline - Date.now() });

  return {
    put(deadline: number, key: string, Body: Uint8Array, contentType: string) {
      const command = new PutObjectCommand({ ...toWrite(key, contentType), Body, IfNoneMatch: '*' });
      return judge(client.send(command, within(deadline)));
    },
    head: (deadline: number, key: string) =>
      judge(client.send(new HeadObjectCommand(toInput(key)), within(deadline))),
    async get(deadline: number, key: string, span: ByteSpan) {
      const command = new GetObjectCommand({ ...toInput(key), Range: toRangeHeader(span) });
      const { Body, ContentRange } = await judge(client.send(command, within(deadline)));
      return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), range: ContentRange };
    },
    /** A page of keys, and where the next one begins. */
    async list(deadline: number, Prefix: string, ContinuationToken?: string) {
      const command = new ListObjectsV2Command({ Bucket: settings.bucket, Prefix, ContinuationToken });
      const { Contents = [], NextContinuationToken } = await judge(client.send(command, within(deadline)));
      return { keys: Contents.flatMap(({ Key }) => Key ?? []), next: NextContinuationToken };
    },
    delete: (deadline: number, key: string) =>
      judge(client.send(new DeleteObjectCommand(toInput(key)), within(deadline))),
    /** Replaces the headers of an object, if it still is that version. */
    replaceHeaders(deadline: number, key: string, etag: string, contentType: string) {
      const command = new CopyObjectCommand({
        ...toWrite(key, contentType),
        CopySource: `${settings.bucket}${toPath(key)}`,
        CopySourceIfMatch: etag,
        MetadataDirective: 'REPLACE',
      });
      return judge(client.send(command, within(deadline)));
    },
    /** Signs a `PUT` with exact length and headers, which S3 refuses if the key exists. @param expiresAt Unix seconds */
    signPut(key: string, contentType: string, sizeBytes: number, expiresAt: number) {
      const condition = { ContentLength: sizeBytes, IfNoneMatch: '*' };
      const command = new PutObjectCommand({ ...toWrite(key, contentType), ...condition });
      return signWrite(client, command, toUploadHeaders(contentType), expiresAt);
    },
    /** Signs a `GET`. */
    signGet(key: string, { expiresAt, name }: SignedLink): Promise<string> {
      const command = new GetObjectCommand({
        ...toInput(key),
        ResponseContentDisposition: toDisposition(name),
        ResponseCacheControl: 'private, no-store',
      });
      return getSignedUrl(client, command, { expiresIn: secondsUntil(expiresAt) });
    },
  };
}

async function signWrite<Headers extends Record<string, string>>(
  client: S3Client,
  command: PutObjectCommand,
  headers: Headers,
  expiresAt: number,
) {
  const url = await getSignedUrl(client, command, {
    expiresIn: secondsUntil(expiresAt),
    // By default it leaves some of them out.
    signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
  });
  return { url, headers };
}

function createClient({ region, endpoint, path_style, access_key, secret_key }: S3Settings): S3Client {
  const keys = { accessKeyId: access_key, secretAccessKey: secret_key };
  return new S3Client({
    region,
    ...(endpoint !== '' && { endpoint: openEndpoint(endpoint).origin }),
    forcePathStyle: path_style,
    // Without keys, the SDK finds those of the function's role, or of this machine.
    ...(access_key !== '' && { credentials: keys }),
    // A repeated write that must not overwrite would fail; `exchange` repeats the other calls.
    maxAttempts: 1,
    // Other storage does not know the checksums of Amazon.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: transport,
  });
}

/** Room for XML, in addition to a range: a page of a list has at most 1,000 keys. */
const spareBytes = 1_048_576;

/** What the SDK passes to its HTTP client. */
interface SdkRequest {
  protocol: string;
  hostname: string;
  port?: number;
  /** Encoded. */
  path: string;
  query?: Record<string, unknown>;
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** Replaces the SDK's HTTP client: sends requests through guarded connections. */
const transport = {
  async handle(request: SdkRequest, options: { requestTimeout?: number } = {}) {
    const { protocol, hostname, port, path, query = {}, method, headers, body } = request;
    const { requestTimeout: timeoutMs = 0 } = options;
    const host = port === undefined ? hostname : `${hostname}:${port}`;
    const search = new URLSearchParams(
      Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value ?? '')])),
    );
    const answer = await exchange({
      url: `${protocol}//${host}${path}?${search}`,
      method: toMethod(method),
      headers,
      body: body instanceof Uint8Array ? [body] : [],
      timeoutMs,
      maxBytes: limitOf(headers.range),
    });
    return { response: toResponse(answer) };
  },
  updateHttpClientConfig() {},
  httpHandlerConfigs: () => ({}),
};

const methods = ['GET', 'HEAD', 'PUT', 'DELETE'] as const satisfies Exchange['method'][];

function toMethod(method: string): (typeof methods)[number] {
  const known = methods.find((each) => each === method);
  if (!known) throw new Error(`no call of this bucket is a ${method}`);
  return known;
}

/** Most bytes that an answer may have. */
function limitOf(range = ''): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  return spareBytes + (last === undefined ? 0 : Number(last) - Number(first) + 1);
}

const toResponse = ({ status, headers, bytes }: Answer) => ({
  statusCode: status,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body: Readable.from([bytes]),
});

/** A new error for each failure: errors of the SDK quote the answer, and hold the request. */
async function judge<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof OutboundError) throw new OutboundError(error.reason, error.message, error.status);
    const { name, $metadata } = Object(error);
    throw new S3Error(/^[\w.-]{1,64}$/.test(name) ? name : '-', $metadata?.httpStatusCode ?? 0);
  }
}
