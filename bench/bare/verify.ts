import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EntryKeys } from './read-dict.ts';

const tokenKey = Buffer.from(process.env.BARE_TOKEN_KEY ?? '', 'base64');
const idleSeconds = 8 * 3600;

/** What of the cached session and administrator decides. */
export interface Session {
  epoch: number;
  lastSeenAt: number;
}
export interface Principal {
  principal: { status: string };
  sessionEpoch: number;
}

/** Whose token it is. @throws Error when it is not one of this service's administrators' */
export function verify(header: string): { sessionId: string; adminId: string } {
  const [version, keyId, payload = '', signature = ''] = header.replace(/^Bearer /, '').split('.');
  const mac = createHmac('sha256', tokenKey).update(`${version}.${keyId}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('401');
  const [sessionId, kind, adminId, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (kind !== 'admin' || expiresAt <= Date.now() / 1000) throw new Error('401');
  return { sessionId, adminId };
}

/** Where the cache keeps the session and the administrator. */
export const toEntryKeys = ({ sessionId, adminId }: ReturnType<typeof verify>): EntryKeys[] => [
  [`service:session:${sessionId}`, `service:session-generation:${sessionId}`],
  [`service:principal:admin:${adminId}`, `service:principal-generation:admin:${adminId}`],
];

/** @throws Error when the session has ended or the administrator may not */
export function assertEnabled(session: Session | undefined, state: Principal | undefined): void {
  if (state?.principal.status !== 'enabled' || session?.epoch !== state.sessionEpoch) throw new Error('401');
  if (Date.now() / 1000 - session.lastSeenAt > idleSeconds) throw new Error('401');
}
