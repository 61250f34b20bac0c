import { createHmac } from 'node:crypto';
import { isEqual } from '#shared/crypto/equal.ts';
import { type DerivedKey, deriveKeys } from '#shared/crypto/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';

/** Who a token may stand for. */
export type PrincipalKind = 'admin' | 'user';

export const apiTokenPrefix = 'mcp_';
/** Whether a bearer token is meant to be an API token. */
export const isApiToken = (token: string): boolean => token.startsWith(apiTokenPrefix);

/** The content of an access token; signed, not encrypted. */
export interface TokenPayload {
  sessionId: string;
  kind: PrincipalKind;
  principalId: string;
  /** Absolute end of the session, Unix seconds. */
  expiresAt: number;
}

/** Makes an access token: `v1.<key id>.<payload>.<HMAC-SHA-256>`, base64url. */
export function signToken({ sessionId, kind, principalId, expiresAt }: TokenPayload): string {
  const [key] = deriveKeys('token');
  const payload = Buffer.from(JSON.stringify([sessionId, kind, principalId, expiresAt]));
  const signed = `v1.${key.id}.${payload.toString('base64url')}`;
  return `${signed}.${mac(signed, key)}`;
}

/**
 * Checks and reads an access token; asks no store.
 *
 * @throws AppError `auth.token_invalid` if this service did not make it, `auth.token_expired` from `expiresAt` on
 */
export function verifyToken(token: string, nowSeconds = Date.now() / 1000): TokenPayload {
  const parts = token.split('.');
  const [version, keyId, payload = '', signature = ''] = parts;
  const key = deriveKeys('token').find((candidate) => candidate.id === keyId);
  const isGenuine =
    parts.length === 4 &&
    version === 'v1' &&
    key !== undefined &&
    isEqual(signature, mac(`v1.${key.id}.${payload}`, key));
  if (!isGenuine) throw unauthorized('auth.token_invalid');
  const [sessionId, kind, principalId, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (expiresAt <= nowSeconds) throw unauthorized('auth.token_expired');
  return { sessionId, kind, principalId, expiresAt };
}

const mac = (text: string, key: DerivedKey): string =>
  createHmac('sha256', key.secret).update(text).digest('base64url');

/** Why a caller is not identified: the codes of 401. */
export const loginCodes = [
  'auth.token_missing',
  'auth.token_invalid',
  'auth.token_expired',
  'auth.token_revoked',
  'auth.principal_mismatch',
  'auth.principal_disabled',
] as const satisfies ErrorCode[];

/** A 401 with the header that RFC 6750 asks for. */
export const unauthorized = (code: (typeof loginCodes)[number]): AppError =>
  new AppError(code, { headers: { 'www-authenticate': 'Bearer' } });

/** Reads the bearer token of an `Authorization` header (RFC 6750); returns undefined if the header holds no token. */
export function readBearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/**
 * The principal of a token with a valid signature, without a read; the login gate decides whether the token is still
 * good. Undefined for a request without one.
 *
 * @param header `Authorization`
 */
export function readCaller(header: string | undefined): TokenPayload | undefined {
  const token = readBearer(header);
  if (!token) return undefined;
  try {
    return verifyToken(token);
  } catch {
    return undefined; // Forged or expired: refused by the login gate.
  }
}
