import { randomBytes } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { createVersionedCache } from '#shared/cache/versioned-cache.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { deleteItem, getItem, updateItem, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { log } from '#shared/log/log.ts';
import { type PrincipalKind, sessionConfig } from './principal.ts';
import { signToken } from './token.ts';

/** A login that lasts until it idles too long, reaches its absolute end, or is revoked. */
export interface Session {
  id: string;
  kind: PrincipalKind;
  principalId: string;
  /** The principal's epoch when the session began. */
  epoch: number;
  /** Unix seconds, as the others below. */
  expiresAt: number;
  lastSeenAt: number;
}

/** A session that is about to begin: the write that stores it, and what the client gets. */
export interface NewSession {
  write: Write;
  token: string;
  expiresAt: string;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Prepares a session of a principal; it begins when `write` is done. */
export function prepareSession(kind: PrincipalKind, principalId: string, epoch: number): NewSession {
  const id = randomBytes(18).toString('base64url');
  const lastSeenAt = nowSeconds();
  const expiresAt = lastSeenAt + sessionConfig[kind].absoluteSeconds;
  const session: Session = { id, kind, principalId, epoch, expiresAt, lastSeenAt };
  return {
    write: { Put: { Item: { ...keys.session(id), ...session, [ttlAttribute]: expiresAt } } },
    token: signToken({ sessionId: id, kind, principalId, expiresAt }),
    expiresAt: new Date(expiresAt * 1000).toISOString(),
  };
}

async function loadSession(id: string): Promise<Session | null> {
  const item = await getItem(keys.session(id));
  if (!item) return null;
  const { kind, principalId, epoch, expiresAt, lastSeenAt } = item;
  return { id, kind, principalId, epoch, expiresAt, lastSeenAt } as Session;
}

/** Sessions by ID, cached for at most 60 s; null where there is none. */
export const sessions = createVersionedCache<Session | null>({
  entryKey: (id) => `service:session:${id}`,
  generationKey: (id) => `service:session-generation:${id}`,
  ttlSeconds: sessionConfig.cacheSeconds,
  load: async (ids) => new Map(await settleAll(ids.map(async (id) => [id, await loadSession(id)] as const))),
});

/** True when a session was not used for longer than its kind may idle. */
export function isIdle(session: Session): boolean {
  return nowSeconds() - session.lastSeenAt > sessionConfig[session.kind].idleSeconds;
}

/**
 * Records that a session was used, at most once per 1/16 of its idle limit. A failure is let pass: the login
 * is good, and the next request tries again.
 */
export async function touchSession(session: Session): Promise<void> {
  const interval = sessionConfig[session.kind].idleSeconds * sessionConfig.touchFraction;
  const now = nowSeconds();
  if (now - session.lastSeenAt < interval) return;
  try {
    await updateItem({
      Key: { ...keys.session(session.id) },
      UpdateExpression: 'SET lastSeenAt = :now',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now },
    });
    await sessions.invalidate([session.id]);
  } catch (error) {
    // A failed condition: logged out meanwhile, there is nothing to prolong.
    if (!(error instanceof ConditionError)) log.warn('session.touch_failed', { error });
  }
}

/** Ends a session at once. */
export async function endSession(id: string): Promise<void> {
  await deleteItem(keys.session(id));
  await sessions.invalidate([id]);
}
