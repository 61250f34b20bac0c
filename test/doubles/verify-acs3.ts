import { createHmac, hash } from 'node:crypto';
import type { DoubleRequest } from './serve.ts';

/** What the gateway of Alibaba Cloud knows. */
export interface Acs3Gateway {
  /** Secrets by AccessKey ID. */
  keys: Record<string, string>;
  now(): number;
  /** Nonces of good requests, to be kept between calls. */
  nonces: Set<string>;
}

/** Why a request is refused; `detail` quotes the request, as the gateway does. */
export interface Acs3Refusal {
  status: number;
  code: string;
  detail: string;
}

const windowMs = 15 * 60_000;
const form = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/;

/** Checks signature version 3 from what came over the wire; undefined for a good request. */
export function verifyAcs3(request: DoubleRequest, gateway: Acs3Gateway): Acs3Refusal | undefined {
  const { headers } = request;
  const [, keyId = '', signedHeaders = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  const refuse = (code: string, detail = '', status = 400): Acs3Refusal => ({ status, code, detail });
  if (!signature) return refuse('IncompleteSignature');
  const secret = gateway.keys[keyId];
  if (secret === undefined) return refuse('InvalidAccessKeyId.NotFound', keyId, 404);

  const signed = signedHeaders.split(';');
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-acs-'));
  const required = ['x-acs-action', 'x-acs-version', 'x-acs-date', 'x-acs-signature-nonce'];
  if ([...mustBeSigned, ...required].some((name) => !signed.includes(name) || !headers[name])) {
    return refuse('IncompleteSignature', signedHeaders);
  }
  const at = Date.parse(String(headers['x-acs-date']));
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(headers['x-acs-date']));
  if (!isDate) return refuse('InvalidTimeStamp.Format');
  if (Math.abs(gateway.now() - at) > windowMs) return refuse('InvalidTimeStamp.Expired');

  const bodyHash = hash('sha256', request.body);
  if (headers['x-acs-content-sha256'] !== bodyHash) return refuse('SignatureDoesNotMatch', request.body);
  const canonical = `${request.method}
${request.path}
${canonicalQuery(request.query)}
${signed
  .toSorted()
  .map((name) => `${name}:${String(headers[name]).trim()}`)
  .join('\n')}

${signed.toSorted().join(';')}
${bodyHash}`;
  const hmac = createHmac('sha256', secret);
  hmac.update('ACS3-HMAC-SHA256\n');
  hmac.update(hash('sha256', canonical));
  if (hmac.digest('hex') !== signature) return refuse('SignatureDoesNotMatch', canonical);

  const nonce = String(headers['x-acs-signature-nonce']);
  if (gateway.nonces.has(nonce)) return refuse('SignatureNonceUsed');
  gateway.nonces.add(nonce);
  return undefined;
}

/** Reads the query as a server does, and writes it in the canonical form. */
function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=');
      const parts = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return parts.map(decodeURIComponent);
    });
  return pairs
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map((pair) => pair.map(encodeBytes).join('='))
    .join('&');
}

/** Every byte but letters, digits and `-_.~` as `%XX`. */
function encodeBytes(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
