import { createVersionedCache } from '#shared/cache/versioned-cache.ts';
import { sessionConfig } from '#shared/config/session.ts';
import { getItem, type Item } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';

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

async function loadAdmin(id: string): Promise<PrincipalState<AdminPrincipal> | null> {
  const item = await getItem(keys.admin(id));
  return item ? { principal: toAdmin(item), sessionEpoch: Number(item.session_epoch) } : null;
}

/** Administrators by ID as sessions need them, cached for at most 60 s; null where there is none. */
export const adminPrincipals = createVersionedCache<PrincipalState<AdminPrincipal> | null>({
  entryKey: (id) => `service:principal:admin:${id}`,
  generationKey: (id) => `service:principal-generation:admin:${id}`,
  ttlSeconds: sessionConfig.cacheSeconds,
  load: async (ids) => new Map(await Promise.all(ids.map(async (id) => [id, await loadAdmin(id)] as const))),
});
