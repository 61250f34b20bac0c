import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKeys } from '#shared/crypto/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/**
 * A cursor for the page after `last`: encrypted, so it tells nothing, and sealed to its list and filters, so
 * it opens nowhere else (AES-256-GCM with `scope` as associated data).
 *
 * @param last where the page ended, undefined at the end of the list
 * @param scope name of the list with its filters
 */
export function encodeCursor(last: Record<string, unknown> | undefined, scope: string): string | null {
  if (!last) return null;
  const [key] = deriveKeys('cursor');
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key.secret, nonce).setAAD(Buffer.from(scope));
  const text = Buffer.concat([cipher.update(JSON.stringify(last)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** @throws AppError `request.invalid` for a cursor that was not made here, for this list and these filters */
export function decodeCursor(cursor: string | undefined, scope: string): Record<string, unknown> | undefined {
  if (cursor === undefined) return undefined;
  for (const { secret } of deriveKeys('cursor')) {
    const text = open(Buffer.from(cursor, 'base64url'), secret, scope);
    if (text !== undefined) return JSON.parse(text);
  }
  throw new AppError('request.invalid', { errors: [{ path: 'query.cursor', message: 'rule.cursor' }] });
}

function open(sealed: Buffer, secret: Buffer, scope: string): string | undefined {
  if (sealed.length <= nonceBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(scope))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    return (
      decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return undefined; // Another key, another list, or no cursor at all: the caller refuses.
  }
}
