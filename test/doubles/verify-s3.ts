import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import aws4 from 'aws4';

/** A secret, and the session token of keys that expire. */
export interface S3Secret {
  secret: string;
  token?: string | undefined;
}

/** What S3 knows of those who sign. */
export interface S3Keys {
  /** By access key. */
  keys: Record<string, S3Secret>;
  region: string;
  /** The time in milliseconds. */
  now(): number;
}

/** A request as its signature covers it. */
export interface S3Request {
  method: string;
  /** Path and query as they came. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Why something is refused. */
export interface S3Refusal {
  status: number;
  code: string;
  message: string;
}

export const refuse = (status: number, code: string, message: string = code): S3Refusal => ({
  status,
  code,
  message,
});

/** How far the clock of a signer may be off, in milliseconds. */
const skewMs = 900_000;
const longestSeconds = 604_800;

interface Signed {
  credential: string;
  names: string;
  signature: string;
  date: string;
  token: string | undefined;
  /** Seconds for which a URL is valid; undefined for a header. */
  expires?: number;
}

/** Whether a request is signed at all. */
export const isSigned = ({ url, headers }: S3Request): boolean =>
  headers.authorization !== undefined || /[?&]X-Amz-Signature=/.test(url);

/**
 * Checks the signature of a request by version 4 of the process, in its header or its URL; undefined for a good one. The
 * signature is computed by another library than the one that signs.
 */
export function verifyS3Request(request: S3Request, { keys, region, now }: S3Keys): S3Refusal | undefined {
  const signed = request.headers.authorization === undefined ? readUrl(request) : readHeader(request);
  if (!signed) return refuse(400, 'AuthorizationHeaderMalformed');
  const [accessKey = '', day, givenRegion, service, end] = signed.credential.split('/');
  const known = keys[accessKey];
  if (!known) return refuse(403, 'InvalidAccessKeyId');
  if (signed.token !== known.token) return refuse(400, 'InvalidToken');
  if (
    givenRegion !== region ||
    service !== 's3' ||
    end !== 'aws4_request' ||
    !signed.date.startsWith(`${day}T`)
  )
    return refuse(400, 'AuthorizationHeaderMalformed', `the region is wrong; expecting ${region}`);
  const refusal = checkTime(signed, now()) ?? checkHeaders(request, signed);
  if (refusal) return refusal;
  if (compute(request, signed, accessKey, known, region) === signed.signature) return undefined;
  return refuse(403, 'SignatureDoesNotMatch', `the signature of ${accessKey} does not match`);
}

function readHeader({ headers }: S3Request): Signed | undefined {
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, credential, names = '', signature = ''] = form.exec(headers.authorization ?? '') ?? [];
  const date = headers['x-amz-date'];
  if (credential === undefined || typeof date !== 'string') return undefined;
  return { credential, names, signature, date, token: toText(headers['x-amz-security-token']) };
}

function readUrl({ url }: S3Request): Signed | undefined {
  const query = new URL(url, 'http://s3.test').searchParams;
  const read = (name: string) => query.get(`X-Amz-${name}`);
  const [credential, names, signature, date] = ['Credential', 'SignedHeaders', 'Signature', 'Date'].map(read);
  const expires = Number(read('Expires'));
  const isComplete = credential && names && signature && date && read('Algorithm') === 'AWS4-HMAC-SHA256';
  if (!isComplete || !(expires >= 1 && expires <= longestSeconds)) return undefined;
  return { credential, names, signature, date, token: read('Security-Token') ?? undefined, expires };
}

const toText = (value: string | string[] | undefined) => (value === undefined ? undefined : String(value));

function checkTime({ date, expires }: Signed, now: number): S3Refusal | undefined {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const [year = Number.NaN, month = 0, ...rest] = parts.map(Number);
  const signedAt = Date.UTC(year, month - 1, ...rest);
  if (Number.isNaN(signedAt)) return refuse(403, 'AccessDenied', 'the date is invalid');
  if (expires === undefined)
    return Math.abs(now - signedAt) > skewMs ? refuse(403, 'RequestTimeTooSkewed') : undefined;
  if (signedAt > now + skewMs) return refuse(403, 'AccessDenied', 'Request is not yet valid');
  return now > signedAt + expires * 1000 ? refuse(403, 'AccessDenied', 'Request has expired') : undefined;
}

/** The host and all headers of Amazon have to be signed, and the body has to be the one that is signed. */
function checkHeaders({ headers, body }: S3Request, { names, expires }: Signed): S3Refusal | undefined {
  const signed = names.split(';');
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (needed.some((name) => !signed.includes(name)))
    return refuse(403, 'AccessDenied', 'There were headers present in the request which were not signed');
  if (expires !== undefined) return undefined;
  const digest = headers['x-amz-content-sha256'];
  if (digest === undefined) return refuse(400, 'InvalidRequest', 'x-amz-content-sha256 is missing');
  return digest === 'UNSIGNED-PAYLOAD' || digest === hash('sha256', body)
    ? undefined
    : refuse(400, 'XAmzContentSHA256Mismatch');
}

function compute(
  { method, url, headers }: S3Request,
  { names, date, expires }: Signed,
  accessKeyId: string,
  { secret, token }: S3Secret,
  region: string,
): string | undefined {
  const listed = names.split(';').map((name) => [name, toText(headers[name]) ?? '(absent)']);
  const options = {
    service: 's3',
    region,
    method,
    path: url.replace(/[?&]X-Amz-Signature=[^&]*/, ''),
    headers: Object.fromEntries(listed),
    signQuery: expires !== undefined,
    // By default it leaves some out.
    extraHeadersToInclude: Object.fromEntries(listed.map(([name]) => [name, true])),
  };
  const credentials = {
    accessKeyId,
    secretAccessKey: secret,
    ...(token !== undefined && { sessionToken: token }),
  };
  const signer = new aws4.RequestSigner(options, credentials);
  signer.datetime = date;
  const { path = '', headers: own } = signer.sign();
  const text = expires === undefined ? String(own?.Authorization) : path;
  return /Signature=([0-9a-f]{64})/.exec(text)?.[1];
}
