import { settleAll } from '#shared/async/settle-all.ts';
import type { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { PrincipalState, Status } from './principal.ts';
import { isIdle, type Session, sessions, touchSession } from './session.ts';
import { apiTokenPrefix, type PrincipalKind, type TokenPayload, unauthorized, verifyToken } from './token.ts';

/** Reads the bearer token of an `Authorization` header (RFC 6750); undefined where there is none. */
export function readBearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/**
 * Finds who a request comes from. A token that is forged or expired costs no read and is refused before this
 * returns; a good one costs one parallel read of its session and its principal.
 *
 * @param header the `Authorization` header
 * @param kind who the route is for
 * @param principals where principals of that kind are read
 * @throws AppError `auth.*`, 401; `auth.scope_insufficient` for an API token
 */
export function authenticate<Principal extends { status: Status }>(
  header: string | undefined,
  kind: PrincipalKind,
  principals: Pick<VersionedCache<PrincipalState<Principal> | null>, 'get'>,
): Promise<{ principal: Principal; session: Session }> {
  const token = readBearer(header);
  if (!token) throw unauthorized(header ? 'auth.token_invalid' : 'auth.token_missing');
  // They are for MCP alone, whatever their scope.
  if (token.startsWith(apiTokenPrefix)) throw new AppError('auth.scope_insufficient');
  const payload = verifyToken(token);
  if (payload.kind !== kind) throw unauthorized('auth.principal_mismatch');
  return findCaller(payload, principals);
}

async function findCaller<Principal extends { status: Status }>(
  payload: TokenPayload,
  principals: Pick<VersionedCache<PrincipalState<Principal> | null>, 'get'>,
): Promise<{ principal: Principal; session: Session }> {
  const [foundSessions, foundPrincipals] = await settleAll([
    sessions.get([payload.sessionId]),
    principals.get([payload.principalId]),
  ]);
  const session = foundSessions.get(payload.sessionId);
  const state = foundPrincipals.get(payload.principalId);
  if (state?.principal.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  // The two are not one read: a session of a later epoch has begun since the principal was cached.
  if (!session || session.epoch < state.sessionEpoch) throw unauthorized('auth.token_revoked');
  if (isIdle(session)) throw unauthorized('auth.token_expired');
  await touchSession(session);
  return { principal: state.principal, session };
}
