import { createHmac, hash } from 'node:crypto';
import COS from 'cos-nodejs-sdk-v5';
import type { DirectTicket, DirectUpload, SignedLink } from '../../engine.ts';
import { toDisposition } from '../../naming/disposition.ts';
import { secondsUntil, toPath } from '../cloud-requests.ts';
import type { QcloudSettings } from './settings.ts';

/** Settings that name a bucket. `origin`: scheme, host and port, without a trailing slash. */
export type CosAccount = QcloudSettings & { origin: string };

/** The header `authorization` of a request; valid for 15 minutes. @param headers all that are signed, with `host` */
export const signRequest = (
  { access_key, secret_key }: CosAccount,
  method: 'HEAD' | 'GET' | 'PUT' | 'DELETE',
  key: string,
  headers: Record<string, string>,
): string =>
  COS.getAuthorization({
    SecretId: access_key,
    SecretKey: secret_key,
    // @ts-expect-error Its types leave out HEAD, which is signed like the others.
    Method: method,
    Pathname: `/${key}`,
    Headers: headers,
  });

/** A URL for one object. The bucket's host is signed too: the link is of no use for another bucket. */
export function signLink(
  account: CosAccount,
  key: string,
  { expiresAt, name, query: asked }: SignedLink,
): string {
  const { access_key, secret_key, origin } = account;
  const response = {
    'response-cache-control': 'private, no-store',
    'response-content-disposition': toDisposition(name),
  };
  const signature = COS.getAuthorization({
    SecretId: access_key,
    SecretKey: secret_key,
    Method: 'GET',
    Pathname: `/${key}`,
    // A variant is asked for by the name of a parameter without a value.
    Query: { ...response, ...(asked && { [decodeURIComponent(asked)]: '' }) },
    Headers: { host: new URL(origin).host },
    Expires: secondsUntil(expiresAt),
  }).replace(
    /(?<=q-url-param-list=)[^&]*/,
    // Names in it are encoded already, and the server decodes the query once.
    (list) => encodeURIComponent(list).toLowerCase(),
  );
  const parameters = Object.entries(response).map(([each, value]) => `${each}=${encodeURIComponent(value)}`);
  return `${origin}${toPath(key)}?${[signature, ...parameters, ...(asked ? [asked] : [])].join('&')}`;
}

/** How far our clock may be ahead of the clock of COS. */
const leewaySeconds = 60;

/** A form for one object of one size (API documentation, "POST Object"). The policy pins every field. */
export function signForm(account: CosAccount, key: string, upload: DirectUpload): DirectTicket {
  const { bucket, access_key, origin } = account;
  const keyTime = `${Math.floor(Date.now() / 1000) - leewaySeconds};${upload.expiresAt}`;
  const pinned = {
    key,
    'Content-Type': upload.contentType,
    // The content is not checked yet: a public domain must not display it.
    'Content-Disposition': 'attachment',
    success_action_status: '200',
    'q-sign-algorithm': 'sha1',
    'q-ak': access_key,
  };
  const policy = JSON.stringify({
    expiration: new Date(upload.expiresAt * 1000).toISOString(),
    conditions: [
      { bucket },
      ...Object.entries(pinned).map(([name, value]) => ({ [name]: value })),
      { 'q-sign-time': keyTime },
      ['content-length-range', upload.sizeBytes, upload.sizeBytes],
    ],
  });
  const fields = {
    ...pinned,
    'q-key-time': keyTime,
    'q-signature': signPolicy(account, policy, keyTime),
    policy: Buffer.from(policy).toString('base64'),
  };
  return { method: 'POST', url: `${origin}/`, headers: {}, fields, file_field: 'file' };
}

/** The SDK does not sign policies. @param keyTime Unix seconds from and to which the signature is valid, as `1;2` */
function signPolicy({ secret_key }: CosAccount, policy: string, keyTime: string): string {
  const signKey = createHmac('sha1', secret_key).update(keyTime).digest('hex');
  return createHmac('sha1', signKey).update(hash('sha1', policy)).digest('hex');
}
