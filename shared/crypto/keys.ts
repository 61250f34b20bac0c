import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import { environment } from '#shared/config/environment.ts';

/** A key for one purpose, derived from one entry of `APP_KEY`. */
export interface DerivedKey {
  /** Eight characters that distinguish keys and reveal nothing about them. */
  id: string;
  /** 32 bytes. Kept as a key object: to create one takes several times as long as an HMAC. */
  secret: KeyObject;
}

const derived = new Map<string, DerivedKey[]>();

/**
 * The keys for a purpose, one for each entry of `APP_KEY` in the same order (HKDF-SHA-256, RFC 5869). The first
 * encrypts and signs; all of them decrypt and verify.
 */
export function deriveKeys(purpose: string): [DerivedKey, ...DerivedKey[]] {
  const { appKeys } = environment();
  const cacheKey = `${purpose}:${appKeys.join()}`;
  const keys = derived.get(cacheKey) ?? appKeys.map((appKey) => deriveKey(appKey, purpose));
  derived.set(cacheKey, keys);
  const [first, ...rest] = keys;
  if (!first) throw new Error('APP_KEY holds no key');
  return [first, ...rest];
}

/** The key for a purpose, derived from one entry of `APP_KEY`. */
export function deriveKey(appKey: string, purpose: string): DerivedKey {
  const bytes = Buffer.from(hkdfSync('sha256', appKey, '', purpose, 32));
  return { id: hash('sha256', bytes, 'base64url').slice(0, 8), secret: createSecretKey(bytes) };
}
