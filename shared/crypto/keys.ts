import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import { environment } from '#shared/config/environment.ts';

/** A key for one purpose, derived from one entry of `APP_KEY`. */
export interface DerivedKey {
  /** Eight characters that tell keys apart without saying anything of them. */
  id: string;
  /** 32 bytes; made into a key once, which costs several times as much as an HMAC. */
  secret: KeyObject;
}

const derived = new Map<string, DerivedKey[]>();

/**
 * The keys for a purpose, one for each entry of `APP_KEY` in its order: the first makes new things, all are
 * accepted (HKDF-SHA-256, RFC 5869).
 *
 * @param purpose a word of its own for each use; the keys of one purpose say nothing of those of another
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

function deriveKey(appKey: string, purpose: string): DerivedKey {
  const bytes = Buffer.from(hkdfSync('sha256', appKey, '', purpose, 32));
  return { id: hash('sha256', bytes, 'base64url').slice(0, 8), secret: createSecretKey(bytes) };
}
