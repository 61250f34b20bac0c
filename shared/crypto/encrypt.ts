import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKeys } from './keys.ts';

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/**
 * Encrypts a text (AES-256-GCM), as base64url.
 *
 * @param context where the text belongs, such as the name of a setting; only decrypted with the same context
 */
export function encrypt(text: string, purpose: string, context: string): string {
  const [key] = deriveKeys(purpose);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key.secret, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Decrypts; undefined if no key of this purpose fits, the context differs, or the encoding is not exact. */
export function decrypt(encrypted: string, purpose: string, context: string): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  // The decoder ignores unknown characters and unused bits: without this check one value had several spellings.
  if (bytes.toString('base64url') !== encrypted || bytes.length < nonceBytes + tagBytes) return undefined;
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const body = bytes.subarray(nonceBytes + tagBytes);
  for (const { secret } of deriveKeys(purpose)) {
    try {
      const decipher = createDecipheriv(algorithm, secret, nonce);
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      // Another key, another context, or not encrypted by us.
    }
  }
  return undefined;
}
