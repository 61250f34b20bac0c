import { settleAll } from '#shared/async/settle-all.ts';
import { createVersionedCache } from '#shared/cache/versioned-cache.ts';
import { getItem, type Item } from '#shared/db/items.ts';
import { type Key, keys } from '#shared/db/keys.ts';

const hour = 3600;

/** Static configuration of sessions, in seconds. */
export const sessionConfig = {
  admin: { idleSeconds: 8 * hour, absoluteSeconds: 7 * 24 * hour },
  user: { idleSeconds: 30 * 24 * hour, absoluteSeconds: 180 * 24 * hour },
  /** The last use is written at most once per this part of the idle limit. */
  touchFraction: 1 / 16,
  /** How long a session or principal is served from the cache. */
  cacheSeconds: 60,
};

/** Who a token may stand for. */
export type PrincipalKind = 'admin' | 'user';
export type Status = 'enabled' | 'disabled';

/** An administrator as answered; never holds the password's hash. */
export interface AdminPrincipal {
  id: string;
  account: string;
  name: string;
  avatar: string;
  status: Status;
  last_login_at: string | null;
  last_login_ip: string | null;
  created_at: string;
}

/** An end user as answered. */
export interface UserPrincipal {
  id: string;
  sn: string;
  mobile: string | null;
  nickname: string;
  avatar: string;
  status: Status;
  created_at: string;
}

/** A principal beside what its sessions are checked against. */
export interface PrincipalState<Principal> {
  principal: Principal;
  /** Sessions of a lower epoch are revoked. */
  sessionEpoch: number;
}

/** The public part of an administrator's item. */
export function toAdmin(item: Item): AdminPrincipal {
  const { id, account, name, avatar, status, last_login_at = null, last_login_ip = null, created_at } = item;
  return { id, account, name, avatar, status, last_login_at, last_login_ip, created_at } as AdminPrincipal;
}

/** The public part of a user's item; the mobile is masked. */
export function toUser(item: Item): UserPrincipal {
  const { id, sn, mobile, nickname, avatar, status, created_at } = item;
  return { id, sn, mobile: maskMobile(mobile), nickname, avatar, status, created_at } as UserPrincipal;
}

/** `13812340000` → `138****0000`. */
function maskMobile(mobile: unknown): string | null {
  return typeof mobile === 'string' ? mobile.replace(/^(\d{3})\d{4}/, '$1****') : null;
}

/** Principals of one kind by ID as sessions need them, cached for at most 60 s; null where there is none. */
function createPrincipals<Principal>(
  kind: PrincipalKind,
  key: (id: string) => Key,
  toPrincipal: (item: Item) => Principal,
) {
  async function load(id: string): Promise<[string, PrincipalState<Principal> | null]> {
    const item = await getItem(key(id));
    return [id, item ? { principal: toPrincipal(item), sessionEpoch: Number(item.session_epoch) } : null];
  }
  return createVersionedCache<PrincipalState<Principal> | null>({
    entryKey: (id) => `service:principal:${kind}:${id}`,
    generationKey: (id) => `service:principal-generation:${kind}:${id}`,
    ttlSeconds: sessionConfig.cacheSeconds,
    load: async (ids) => new Map(await settleAll(ids.map(load))),
  });
}

export const adminPrincipals = createPrincipals('admin', keys.admin, toAdmin);
export const userPrincipals = createPrincipals('user', keys.user, toUser);
