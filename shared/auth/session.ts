import * as z from 'zod/mini';
import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { defineEntity, findRow } from '#shared/db/entity.ts';
import { deleteItem, holds, type Key, singleKey, updateItem } from '#shared/db/items.ts';
import { type Attributes, changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { log } from '#shared/log/log.ts';
import { sessionConfig } from './principal.ts';
import { unauthorized } from './token.ts';

// One schema for fields of one kind: each that is made costs the start of every function behind a login 0.04 ms.
const text = z.string();
const number = z.number();
const origin = z._default(text, '');

const row = z.object({
  id: text,
  kind: z.enum(['admin', 'user']),
  principalId: text,
  /** The principal's epoch when the session began. */
  epoch: number,
  /** Unix seconds, as `lastSeenAt`. */
  expiresAt: number,
  lastSeenAt: number,
  /** When the second factor was given, in Unix seconds; 0 without one. */
  factorAt: z._default(number, 0),
  /** Where the login came from. */
  device: origin,
  address: origin,
  /** Unix seconds, if it ends earlier than others of its kind. */
  beganAt: z.optional(number),
});
/** A login. It ends when it idles too long, at `expiresAt`, or when it is revoked. */
export type Session = z.infer<typeof row>;

/** Sessions by ID, cached for at most 60 s; null if the session does not exist. */
export const sessions: VersionedCache<Session | null> = new VersionedCache({
  entryKey: (id) => `service:session:${id}`,
  generationKey: (id) => `service:session-generation:${id}`,
  ttlSeconds: sessionConfig.cacheSeconds,
  isSigned: true,
  load: loadEach(async (id) => (await findRow(sessionEntity, { id })) ?? null),
});

export const sessionEntity = defineEntity({
  row,
  key: ({ id }: { id: string }) => singleKey(`SESSION#${id}`),
  missing: () => unauthorized('auth.token_revoked'),
  mirror: { cache: sessions },
  indexes: {
    byPrincipal: {
      name: 'gsi1',
      pk: ({ kind, principalId }: Pick<Session, 'kind' | 'principalId'>) => `SESSION#${kind}#${principalId}`,
      // The newest has the latest end, unless its login ends earlier than usual.
      sk: ({ expiresAt, id }) => `${expiresAt}#${id}`,
    },
  },
});

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** When a session began, in Unix seconds. */
export const beganAt = ({ kind, expiresAt, beganAt: known }: Session): number =>
  known ?? expiresAt - sessionConfig[kind].absoluteSeconds;

/** When the login showed a password, in Unix seconds; 0 for a login by a provider, whose sessions end earlier. */
export const passwordShownAt = (session: Session): number =>
  session.beganAt === undefined ? beganAt(session) : 0;

/** Whether a session was not used for longer than its kind may idle. */
export function isIdle(session: Session): boolean {
  return nowSeconds() - session.lastSeenAt > sessionConfig[session.kind].idleSeconds;
}

/** Records the use of a session, at most once in a quarter of an hour. Never throws. */
export async function touchSession(session: Session): Promise<void> {
  const now = nowSeconds();
  if (now - session.lastSeenAt < sessionConfig.touchSeconds) return;
  await recordUse('session', sessionEntity.key(session), { lastSeenAt: now });
}

/** Changes the last use of a login. A failure is only logged: the login is valid, and the next request tries again. */
export async function recordUse(kind: 'session' | 'api_token', key: Key, use: Attributes): Promise<void> {
  try {
    // Nothing to record if the login ended meanwhile.
    await holds(updateItem(changeItem(key, { set: use, expect: {} }).Update));
  } catch (error) {
    log.warn(`${kind}.touch_failed`, { error });
  }
}

/** Ends a session at once. */
export const endSession = (id: string): Promise<void> => deleteItem(sessionEntity.key({ id }));

/** A login gate records the use of a session, and a logout ends it; `new-session.ts` begins one. */
export const writtenKeys: ListWrittenKeys = () => {
  const keys = sessionEntity.key({ id: '*' }).pk;
  return [
    { keys, actions: ['DeleteItem'] },
    { keys, actions: ['UpdateItem'], attributes: ['pk', 'sk', 'lastSeenAt'] },
  ];
};
