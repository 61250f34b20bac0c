import { environment } from '#shared/config/environment.ts';
import { createRecordMac, isRecordMac } from '#shared/crypto/record-mac.ts';
import type { SignedLink } from '../../engine.ts';

const purpose = 'file-link';

/** The full URL of a private object on this site's disk. */
export function signLink(key: string, { expiresAt, name }: SignedLink): string {
  const expires = String(expiresAt);
  const signature = createRecordMac(purpose, { key, expires, name });
  return `${environment().publicUrl}/storage/${key}?${new URLSearchParams({ expires, name, signature })}`;
}

/**
 * The name that a private object is saved by; undefined if the link is not signed by this site for this object, or has
 * expired.
 *
 * @param query of the URL
 */
export function readLink(key: string, query: URLSearchParams): string | undefined {
  const read = (part: string) => query.get(part) ?? '';
  const [expires, name, signature] = [read('expires'), read('name'), read('signature')];
  const isOver = !(Date.now() < Number(expires) * 1000);
  return isOver || !isRecordMac(purpose, { key, expires, name }, signature) ? undefined : name;
}
