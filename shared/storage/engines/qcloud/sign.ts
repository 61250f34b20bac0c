import { createHmac, hash } from 'node:crypto';
import COS from 'cos-nodejs-sdk-v5';
import type { CosAccount } from './account.ts';

/** What a signature covers of a request. */
export interface SignedRequest {
  method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  key: string;
  /** With `host`. */
  headers: Record<string, string>;
}

/** The header `authorization` of a request; good for a quarter of an hour. */
export function signRequest(account: CosAccount, { method, key, headers }: SignedRequest): string {
  const { secretId: SecretId, secretKey: SecretKey } = account;
  return COS.getAuthorization({
    SecretId,
    SecretKey,
    // @ts-expect-error Its types leave out HEAD, which is signed like the others.
    Method: method,
    Pathname: `/${key}`,
    Headers: headers,
  });
}

/**
 * The signature of a form's policy, which the SDK does not make (API documentation, "POST Object").
 *
 * @param keyTime Unix seconds from and to which it is good, as `1;2`
 */
export function signPolicy({ secretKey }: CosAccount, policy: string, keyTime: string): string {
  const signKey = createHmac('sha1', secretKey).update(keyTime).digest('hex');
  return createHmac('sha1', signKey).update(hash('sha1', policy)).digest('hex');
}
