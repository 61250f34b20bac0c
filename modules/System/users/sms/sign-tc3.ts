import { createHash, createHmac } from 'node:crypto';

/** A request to an API of Tencent Cloud. */
export interface Tc3Request {
  /** Host with its port, where that is not the scheme's own. */
  host: string;
  /** Short name of the product, as in its domain. */
  service: string;
  action: string;
  version: string;
  region: string;
  /** JSON, to be sent byte for byte. */
  body: string;
  secretId: string;
  secretKey: string;
  at: Date;
}

const algorithm = 'TC3-HMAC-SHA256';
const contentType = 'application/json; charset=utf-8';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Signs a POST to `/` by Tencent Cloud's signature version 3, which covers content type, host and body. The
 * key is derived for one UTC day.
 *
 * @returns the headers but `host`
 */
export function signTc3(request: Tc3Request): Record<string, string> {
  const { host, service, action, version, region, body, secretId, secretKey, at } = request;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const day = at.toISOString().slice(0, 10);
  const scope = `${day}/${service}/tc3_request`;
  const names = 'content-type;host';
  const lines = `content-type:${contentType}\nhost:${host}\n`;
  const canonical = ['POST', '/', '', lines, names, sha256(body)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), service), 'tc3_request');
  const signature = hmac(key, [algorithm, timestamp, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    'content-type': contentType,
    'x-tc-action': action,
    'x-tc-timestamp': timestamp,
    'x-tc-version': version,
    'x-tc-region': region,
    authorization: `${algorithm} Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
