import { settleAll } from '#shared/async/settle-all.ts';
import type { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type PrincipalState, type Status, tokenEpochOf } from './principal.ts';
import { isIdle, type Session, sessions, touchSession } from './session.ts';
import {
  isApiToken,
  type PrincipalKind,
  readBearer,
  type TokenPayload,
  unauthorized,
  verifyToken,
} from './token.ts';

interface Caller<Principal> {
  principal: Principal;
  session: Session;
  /** API tokens and connections of a lower epoch are revoked. */
  tokenEpoch: number;
}

/**
 * Finds the caller of a request. A forged or expired token is refused synchronously, without a read. For any other
 * token, session and principal are read in parallel.
 *
 * @param header `Authorization`
 * @param later takes the write of the last use, which must be awaited before the answer. @default awaits it here
 * @throws AppError `auth.*`, 401; `auth.scope_insufficient` for an API token
 */
export function authenticate<Principal extends { status: Status }>(
  header: string | undefined,
  kind: PrincipalKind,
  principals: Pick<VersionedCache<PrincipalState<Principal> | null>, 'getOne'>,
  later?: (work: Promise<void>) => void,
): Promise<Caller<Principal>> {
  const token = readBearer(header);
  if (!token) throw unauthorized(header ? 'auth.token_invalid' : 'auth.token_missing');
  // API tokens are for MCP and for routes of the admin API, whose gate reads them itself.
  if (isApiToken(token)) throw new AppError('auth.scope_insufficient');
  const payload = verifyToken(token);
  if (payload.kind !== kind) throw unauthorized('auth.principal_mismatch');
  return findCaller(payload, principals, later);
}

async function findCaller<Principal extends { status: Status }>(
  payload: TokenPayload,
  principals: Pick<VersionedCache<PrincipalState<Principal> | null>, 'getOne'>,
  later?: (work: Promise<void>) => void,
): Promise<Caller<Principal>> {
  const [session, state] = await settleAll([
    sessions.getOne(payload.sessionId),
    principals.getOne(payload.principalId),
  ]);
  if (state?.principal.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  // A later epoch is good: the session began after the principal was cached.
  if (!session || session.epoch < state.sessionEpoch) throw unauthorized('auth.token_revoked');
  if (isIdle(session)) throw unauthorized('auth.token_expired');
  const touching = touchSession(session);
  if (later) later(touching);
  else await touching;
  return { principal: state.principal, session, tokenEpoch: tokenEpochOf(state) };
}
