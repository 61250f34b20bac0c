import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKeys } from './keys.ts';

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/**
 * Encrypts a text so that nobody reads or changes it, and it opens nowhere but in its context (AES-256-GCM,
 * the context as associated data).
 *
 * @param context where it belongs, such as the name of a setting
 * @returns base64url
 */
export function seal(text: string, purpose: string, context: string): string {
  const [key] = deriveKeys(purpose);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key.secret, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * The text of a seal; undefined if it was not made with one of our keys for this purpose and context, or is
 * spelled otherwise than `seal` spells it.
 */
export function unseal(sealed: string, purpose: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // The decoder skips what it does not know, and unused bits: such a text would be a second one for one seal.
  if (bytes.toString('base64url') !== sealed) return undefined;
  for (const { secret } of deriveKeys(purpose)) {
    const text = open(bytes, secret, context);
    if (text !== undefined) return text;
  }
  return undefined;
}

function open(bytes: Buffer, secret: KeyObject, context: string): string | undefined {
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined; // Another key, another context, or no seal at all.
  }
}
