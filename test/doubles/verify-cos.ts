import { createHmac, hash } from 'node:crypto';

/** What COS knows of those who sign. */
export interface CosKeys {
  /** Secrets by SecretId. */
  keys: Record<string, string>;
  /** The time in milliseconds. */
  now(): number;
}

/** A request as its signature covers it. */
export interface CosRequest {
  method: string;
  /** As it came, percent-encoded. */
  path: string;
  /** As it came, without the question mark. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Why something is refused. */
export interface CosRefusal {
  status: number;
  code: string;
  message: string;
}

const refuse = (code: string, message: string, status = 403): CosRefusal => ({ status, code, message });
const hmac = (key: string, text: string) => createHmac('sha1', key).update(text).digest('hex');
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const isWithin = (window: string, nowMs: number): boolean => {
  const [, from, to] = /^(\d{10});(\d{10})$/.exec(window) ?? [];
  return from !== undefined && Number(from) <= nowMs / 1000 && nowMs / 1000 <= Number(to);
};

/** Whether a request is signed at all, in its header or its URL. */
export const isCosSigned = (query: string, headers: CosRequest['headers']): boolean =>
  headers.authorization !== undefined || /(?:^|&)q-signature=/.test(query);

/**
 * Checks the header `Authorization` of a request, else the signature in its URL (API documentation, "Request
 * Signature"); undefined for a good one.
 */
export function verifyCosRequest(request: CosRequest, { keys, now }: CosKeys): CosRefusal | undefined {
  const given = new Map(
    String(request.headers.authorization ?? request.query)
      .split('&')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const part = (name: string) => given.get(`q-${name}`) ?? '';
  if (part('sign-algorithm') !== 'sha1') return refuse('InvalidArgument', 'q-sign-algorithm', 400);
  const secret = keys[part('ak')];
  if (secret === undefined) return refuse('InvalidAccessKeyId', part('ak'));
  if (!isWithin(part('key-time'), now()) || !isWithin(part('sign-time'), now())) {
    return refuse('AccessDenied', 'Request has expired');
  }
  const parameters = [...new URLSearchParams(request.query)];
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  const text = [
    request.method.toLowerCase(),
    decodeURIComponent(request.path),
    // As every value of a query, it is encoded in a URL.
    toList(
      request.headers.authorization ? part('url-param-list') : decodeURIComponent(part('url-param-list')),
      parameters,
    ),
    toList(part('header-list'), headers),
    '',
  ].join('\n');
  const signKey = hmac(secret, part('key-time'));
  const expected = hmac(signKey, `sha1\n${part('sign-time')}\n${hash('sha1', text)}\n`);
  return part('signature') === expected ? undefined : refuse('SignatureDoesNotMatch', text);
}

/** The pairs that a list names, as they are signed; a name without a value breaks the signature. */
function toList(names: string, pairs: readonly (readonly [string, string])[]): string {
  if (names === '') return '';
  return names
    .split(';')
    .map((name) => {
      const [, value = '(absent)'] = pairs.find(([found]) => encode(found).toLowerCase() === name) ?? [];
      return `${name}=${encode(value)}`;
    })
    .join('&');
}

/** The signature of a form's policy, over its JSON (API documentation, "POST Object"). */
export function signCosPolicy(secret: string, policy: string, keyTime: string): string {
  return hmac(hmac(secret, keyTime), hash('sha1', policy));
}

/** Checks the signature of a form; undefined for a good one. */
export function verifyCosForm(
  fields: ReadonlyMap<string, string>,
  policy: string,
  { keys, now }: CosKeys,
): CosRefusal | undefined {
  const part = (name: string) => fields.get(`q-${name}`) ?? '';
  if (part('sign-algorithm') !== 'sha1') return refuse('InvalidArgument', 'q-sign-algorithm', 400);
  const secret = keys[part('ak')];
  if (secret === undefined) return refuse('InvalidAccessKeyId', part('ak'));
  if (!isWithin(part('key-time'), now())) return refuse('AccessDenied', 'Request has expired');
  const expected = signCosPolicy(secret, policy, part('key-time'));
  if (part('signature') === expected) return undefined;
  return refuse('SignatureDoesNotMatch', 'The Signature you specified is invalid.');
}
