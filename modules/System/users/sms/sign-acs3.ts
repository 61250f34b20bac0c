import { createHash, createHmac } from 'node:crypto';

/** A request to an RPC API of Alibaba Cloud. */
export interface Acs3Request {
  /** Host with its port, where that is not the scheme's own. */
  host: string;
  action: string;
  version: string;
  query: Record<string, string>;
  accessKey: string;
  secretKey: string;
  at: Date;
  /** Never twice the same. */
  nonce: string;
}

const algorithm = 'ACS3-HMAC-SHA256';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Signs a POST to `/` without a body by Alibaba Cloud's signature version 3.
 *
 * @returns the query string as it must be sent, and the headers but `host`
 */
export function signAcs3(request: Acs3Request): { query: string; headers: Record<string, string> } {
  const query = toCanonicalQuery(request.query);
  const emptyBody = sha256('');
  const headers = {
    'x-acs-action': request.action,
    'x-acs-content-sha256': emptyBody,
    'x-acs-date': request.at.toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  };
  // Host sorts before every x-acs-*, and those are in order.
  const signed = Object.entries({ host: request.host, ...headers });
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = ['POST', '/', query, lines, names, emptyBody].join('\n');
  const signature = createHmac('sha256', request.secretKey)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest('hex');
  const authorization = `${algorithm} Credential=${request.accessKey},SignedHeaders=${names},Signature=${signature}`;
  return { query, headers: { ...headers, authorization } };
}

/** Sorted by name, encoded as RFC 3986 says. */
function toCanonicalQuery(query: Record<string, string>): string {
  const names = Object.keys(query).sort();
  return names.map((name) => `${encode(name)}=${encode(query[name] ?? '')}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
