import { createHmac, hash } from 'node:crypto';
import type { DoubleRequest } from './serve.ts';

/** What the gateway of Tencent Cloud knows. */
export interface Tc3Gateway {
  /** Secrets by SecretId. */
  keys: Record<string, string>;
  service: string;
  now(): number;
}

/** Why a request is refused; `detail` quotes the request. */
export interface Tc3Refusal {
  code: string;
  detail: string;
}

const windowSeconds = 300;
const form =
  /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/(\w+)\/tc3_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks TC3-HMAC-SHA256 from what came over the wire; undefined for a good request. It knows no nonce: a
 * request may be repeated while its timestamp is good, as there.
 */
export function verifyTc3(request: DoubleRequest, gateway: Tc3Gateway): Tc3Refusal | undefined {
  const { headers } = request;
  const refuse = (code: string, detail = ''): Tc3Refusal => ({ code, detail });
  const parts = form.exec(headers.authorization ?? '');
  if (!parts) return refuse('AuthFailure.InvalidAuthorization');
  const [, secretId = '', day = '', service = '', names = '', signature = ''] = parts;
  const signed = names.split(';');
  if (!signed.includes('content-type') || !signed.includes('host')) {
    return refuse('AuthFailure.InvalidAuthorization', names);
  }
  const secret = gateway.keys[secretId];
  if (secret === undefined) return refuse('AuthFailure.SecretIdNotFound', secretId);
  const timestamp = String(headers['x-tc-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp)) return refuse('InvalidParameter', 'X-TC-Timestamp');
  if (Math.abs(gateway.now() / 1000 - Number(timestamp)) > windowSeconds) {
    return refuse('AuthFailure.SignatureExpire');
  }
  const today = new Date(Number(timestamp) * 1000).toISOString().split('T')[0];
  if (day !== today || service !== gateway.service) return refuse('AuthFailure.SignatureFailure', 'scope');

  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}`);
  const canonical = [
    request.method,
    '/',
    request.query,
    ...lines,
    '',
    names,
    hash('sha256', request.body),
  ].join('\n');
  let key = Buffer.from(`TC3${secret}`);
  for (const part of [day, service, 'tc3_request']) key = createHmac('sha256', key).update(part).digest();
  const hmac = createHmac('sha256', key);
  hmac.update(`TC3-HMAC-SHA256\n${timestamp}\n${day}/${service}/tc3_request\n`);
  hmac.update(hash('sha256', canonical));
  return hmac.digest('hex') === signature ? undefined : refuse('AuthFailure.SignatureFailure', canonical);
}
