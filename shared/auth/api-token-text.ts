import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isEqual } from '#shared/crypto/equal.ts';
import { type DerivedKey, deriveKeys } from '#shared/crypto/keys.ts';
import { apiTokenPrefix, unauthorized } from './token.ts';

// What every function behind `admin.auth` loads of API tokens: it asks no store.

export interface ApiTokenRef {
  adminId: string;
  id: string;
}

const secretBytes = 16;
const ulidPattern = '[0-9A-HJKMNP-TV-Z]{26}';
// Secret and HMAC are 48 bytes: they fill 64 characters.
const pattern = new RegExp(`^([a-z]+_)(${ulidPattern})_(${ulidPattern})_([A-Za-z0-9_-]{64})$`);

/**
 * Makes a token, `mcp_<administrator>_<ID>_<128 random bits and HMAC-SHA-256, base64url>`; scanners know `mcp_`.
 *
 * @param prefix differs for each use of such tokens; the HMAC covers it
 */
export function createApiToken(ref: ApiTokenRef, prefix = apiTokenPrefix): string {
  return formatApiToken(prefix, ref, randomBytes(secretBytes), deriveKeys('api_token')[0]);
}

function formatApiToken(
  prefix: string,
  { adminId, id }: ApiTokenRef,
  secret: Buffer,
  key: DerivedKey,
): string {
  const head = `${prefix}${adminId}_${id}_`;
  const mac = createHmac('sha256', key.secret).update(head).update(secret).digest();
  return head + Buffer.concat([secret, mac]).toString('base64url');
}

/** Reads a token; asks no store. Returns undefined if the token was not made with this prefix and one of our keys. */
export function readApiToken(token: string, prefix = apiTokenPrefix): ApiTokenRef | undefined {
  const [, found, adminId, id, tail = ''] = pattern.exec(token) ?? [];
  if (found !== prefix || !adminId || !id) return undefined;
  const ref = { adminId, id };
  const secret = Buffer.from(tail, 'base64url').subarray(0, secretBytes);
  const isGenuine = deriveKeys('api_token').some((key) =>
    isEqual(token, formatApiToken(prefix, ref, secret, key)),
  );
  return isGenuine ? ref : undefined;
}

/** As {@link readApiToken}. @throws AppError `auth.token_invalid`, at once: a gate then starts no read */
export function requireApiToken(token: string): ApiTokenRef {
  const ref = readApiToken(token);
  if (!ref) throw unauthorized('auth.token_invalid');
  return ref;
}

/** The stored form of a token. A plain hash is enough, because a token is random. */
export const hashApiToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
