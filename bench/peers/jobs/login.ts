import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EntryKeys, readCached } from './read-cached.ts';
import { Refusal } from './refusal.ts';

const tokenKey = Buffer.from(process.env.BARE_TOKEN_KEY ?? '', 'base64');
const idleSeconds = 8 * 3600;

/** The used part of the cached session and administrator. */
interface Session {
  epoch: number;
  lastSeenAt: number;
}
interface Principal {
  principal: { status: string; super: boolean };
  sessionEpoch: number;
}

/**
 * Authenticates the caller, and reads further cache entries in the same command.
 *
 * @param header the `Authorization` header
 * @throws Refusal 401
 */
export async function readAsAdmin(
  header: string | undefined,
  others: EntryKeys[] = [],
): Promise<{ adminId: string; found: unknown[] }> {
  const { sessionId, adminId } = verify(header ?? '');
  const [session, principal, ...found] = await readCached([
    [`service:session:${sessionId}`, `service:session-generation:${sessionId}`],
    [
      `service:principal:admin:${adminId}`,
      `service:principal-generation:admin:${adminId}`,
      'service:role-generation',
    ],
    ...others,
  ]);
  assertEnabled(session as Session, principal as Principal);
  return { adminId, found };
}

/** The owner of a token. @throws Refusal if it is not a token of an administrator */
function verify(header: string): { sessionId: string; adminId: string } {
  const [version, keyId, payload = '', signature = ''] = header.replace(/^Bearer /, '').split('.');
  const mac = createHmac('sha256', tokenKey).update(`${version}.${keyId}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Refusal(401, 'no login');
  const [sessionId, kind, adminId, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (kind !== 'admin' || expiresAt <= Date.now() / 1000) throw new Refusal(401, 'no login');
  return { sessionId, adminId };
}

function assertEnabled(session: Session, state: Principal): void {
  // Every caller of the bench is a super administrator.
  if (!state.principal.super) throw new Refusal(403, 'permission denied');
  if (state.principal.status !== 'enabled' || session.epoch !== state.sessionEpoch)
    throw new Refusal(401, 'login revoked');
  if (Date.now() / 1000 - session.lastSeenAt > idleSeconds) throw new Refusal(401, 'login expired');
}
