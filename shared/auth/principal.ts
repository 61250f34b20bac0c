import * as z from 'zod/mini';
import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { defineEntity, type Entity, toRow } from '#shared/db/entity.ts';
import { getItem, getItems, type Item, singleKey } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { type Status, status } from '#shared/schema/fields.ts';
import { titled } from '#shared/schema/titled.ts';
import type { Rights } from './permission.ts';
import { type PrincipalKind, unauthorized } from './token.ts';

const hour = 3600;

/** Static configuration of sessions, in seconds. */
export const sessionConfig = {
  admin: { idleSeconds: 8 * hour, absoluteSeconds: 7 * 24 * hour },
  user: { idleSeconds: 30 * 24 * hour, absoluteSeconds: 180 * 24 * hour },
  /** The last use is written at most once in this part of the idle limit. */
  touchFraction: 1 / 16,
  /** How long a session or principal is served from the cache. */
  cacheSeconds: 60,
};

export type { Status };

const missing = () => unauthorized('auth.token_revoked');

const admin = {
  // Times are plain texts here: their pattern would weigh 2.5 KB in the function of every route with a login.
  row: z.object({
    id: z.string(),
    account: z.string(),
    name: titled({ zh_CN: '姓名', en: 'Name' }, z.string()),
    avatar: z.string(),
    status,
    /** Whether everything is permitted. */
    super: titled({ zh_CN: '超级管理员', en: 'Super administrator' }, z._default(z.boolean(), false)),
    role_ids: titled({ zh_CN: '角色', en: 'Roles' }, z._default(z.array(z.string()), [])),
    last_login_at: titled({ zh_CN: '最后登录时间', en: 'Last login', type: 'time' }, z.nullable(z.string())),
    last_login_ip: titled({ zh_CN: '最后登录 IP', en: 'Address of the last login' }, z.nullable(z.string())),
    created_at: z.string(),
  }),
  key: ({ id }: { id: string }) => singleKey(`ADMIN#${id}`),
  missing,
};
/** An administrator as answered. */
export type AdminPrincipal = z.infer<typeof admin.row>;

/** The administrator of a request, with the grants of all roles. */
export interface AdminCaller extends AdminPrincipal, Rights {}

const role = {
  row: z.object({ id: z.string(), grants: z.array(z.string()) }),
  key: ({ id }: { id: string }) => ({ pk: 'ROLE', sk: id }),
  missing,
};

/** The attributes of an end user that are answered, the mobile in the clear. */
export const storedUser = z.object({
  id: z.string(),
  sn: titled({ zh_CN: '用户编号', en: 'User number' }, z.string()),
  mobile: titled({ zh_CN: '手机号', en: 'Mobile' }, z.optional(z.string())),
  nickname: titled({ zh_CN: '昵称', en: 'Nickname' }, z.string()),
  avatar: z.string(),
  status,
  created_at: z.string(),
});

const user = {
  row: z.pipe(
    storedUser,
    z.transform((user) => ({ ...user, mobile: maskMobile(user.mobile) })),
  ),
  key: ({ id }: { id: string }) => singleKey(`USER#${id}`),
  missing,
};

/** An end user as answered, the mobile masked. */
export type UserPrincipal = z.infer<typeof user.row>;

/** `13812340000` → `138****0000`. */
export const maskMobile = (mobile: string | undefined): string | null =>
  mobile?.replace(/^(\d{3})\d{4}/, '$1****') ?? null;

/** A principal with the value that its sessions are checked against. */
export interface PrincipalState<Principal> {
  principal: Principal;
  /** Sessions of a lower epoch are revoked. */
  sessionEpoch: number;
  /** Tokens of a lower epoch are revoked. @default `sessionEpoch` */
  tokenEpoch?: number | undefined;
}

/** The lowest epoch of an administrator's tokens and connections that are not revoked. */
export const tokenEpochOf = ({ sessionEpoch, tokenEpoch = sessionEpoch }: EpochState): number => tokenEpoch;
type EpochState = Pick<PrincipalState<object>, 'sessionEpoch' | 'tokenEpoch'>;

/** The epochs of a stored principal. */
export const readEpochs = ({ session_epoch, token_epoch }: Item): EpochState => ({
  sessionEpoch: Number(session_epoch),
  tokenEpoch: token_epoch === undefined ? undefined : Number(token_epoch),
});

/** Cached for at most 60 s; null if the principal does not exist. */
function createPrincipals<Principal extends object>(
  kind: PrincipalKind,
  entity: Pick<Entity<object, { id: string }>, 'key'>,
  toPrincipal: (item: Item) => Principal | Promise<Principal>,
  dependsOn?: string,
) {
  async function load(id: string): Promise<PrincipalState<Principal> | null> {
    const item = await getItem(entity.key({ id }));
    return item ? { principal: await toPrincipal(item), ...readEpochs(item) } : null;
  }
  return new VersionedCache<PrincipalState<Principal> | null>({
    entryKey: (id) => `service:principal:${kind}:${id}`,
    generationKey: (id) => `service:principal-generation:${kind}:${id}`,
    ...(dependsOn !== undefined && { dependsOn }),
    ttlSeconds: sessionConfig.cacheSeconds,
    isSigned: true,
    load: loadEach(load),
  });
}

/** Every entry holds grants of roles. */
export const adminPrincipals = createPrincipals('admin', admin, addGrants, 'service:role-generation');
/** Administrators without the password hash, which only their module reads. */
export const adminEntity = defineEntity({ ...admin, target: 'admin', mirror: { cache: adminPrincipals } });

/** Roles, all in one partition, with what the rights of their holders need. */
export const roleEntity = defineEntity({
  ...role,
  target: 'role',
  mirror: {
    cache: { ttlSeconds: adminPrincipals.ttlSeconds, invalidate: adminPrincipals.invalidateAll },
  },
});

async function addGrants(item: Item): Promise<AdminCaller> {
  const caller = toRow(admin, item);
  const roles = await getItems(caller.role_ids.map((id) => role.key({ id })));
  const grants = new Set(roles.flatMap((each) => toRow(role, each).grants));
  return { ...caller, grants: [...grants] };
}

export const userPrincipals = createPrincipals('user', user, (item) => toRow(user, item));
/** End users as answered. */
export const userEntity = defineEntity({ ...user, target: 'user', mirror: { cache: userPrincipals } });

/** Modules write these records, with entities of their own. */
export const writtenKeys: ListWrittenKeys = () => [];
