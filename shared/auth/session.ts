import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { defineEntity, findRow, toItem } from '#shared/db/entity.ts';
import { deleteItem, holds, singleKey, updateItem, type Write } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem } from '#shared/db/writes.ts';
import { log } from '#shared/log/log.ts';
import { sessionConfig } from './principal.ts';
import { type PrincipalKind, signToken, unauthorized } from './token.ts';

export const sessionEntity = defineEntity({
  row: z.object({
    id: z.string(),
    kind: z.enum(['admin', 'user']),
    principalId: z.string(),
    /** The principal's epoch when the session began. */
    epoch: z.number(),
    /** Unix seconds, as the other below. */
    expiresAt: z.number(),
    lastSeenAt: z.number(),
  }),
  key: ({ id }: { id: string }) => singleKey(`SESSION#${id}`),
  missing: () => unauthorized('auth.token_revoked'),
});
/** A login that lasts until it idles too long, reaches its absolute end, or is revoked. */
export type Session = z.infer<typeof sessionEntity.row>;

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
    write: putItem({ ...toItem(sessionEntity, session), [ttlAttribute]: expiresAt }),
    token: signToken({ sessionId: id, kind, principalId, expiresAt }),
    expiresAt: new Date(expiresAt * 1000).toISOString(),
  };
}

async function loadSession(id: string): Promise<[string, Session | null]> {
  return [id, (await findRow(sessionEntity, { id })) ?? null];
}

/** Sessions by ID, cached for at most 60 s; null where there is none. */
export const sessions = new VersionedCache<Session | null>({
  entryKey: (id) => `service:session:${id}`,
  generationKey: (id) => `service:session-generation:${id}`,
  ttlSeconds: sessionConfig.cacheSeconds,
  load: async (ids) => new Map(await settleAll(ids.map(loadSession))),
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
    const touch = changeItem(sessionEntity.key(session), { set: { lastSeenAt: now }, expect: {} });
    // If the session ended meanwhile, there is nothing to prolong.
    if (await holds(updateItem(touch.Update))) await sessions.invalidate([session.id]);
  } catch (error) {
    log.warn('session.touch_failed', { error });
  }
}

/** Ends a session at once. */
export async function endSession(id: string): Promise<void> {
  await deleteItem(sessionEntity.key({ id }));
  await sessions.invalidate([id]);
}
