import * as z from 'zod/mini';
import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { defineEntity, type Entity, toRow } from '#shared/db/entity.ts';
import { getItem, getItems, type Item, singleKey } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { type Status, status } from '#shared/schema/fields.ts';
import type { Rights } from './permission.ts';
import { type PrincipalKind, unauthorized } from './token.ts';

const hour = 3600;

/** Static configuration of sessions, in seconds. */
export const sessionConfig = {
  admin: { idleSeconds: 8 * hour, absoluteSeconds: 7 * 24 * hour },
  user: { idleSeconds: 30 * 24 * hour, absoluteSeconds: 180 * 24 * hour },
  /** The last use is written at most once in this time. */
  touchSeconds: 900,
  /** How long a session or principal is served from the cache. */
  cacheSeconds: 60,
};

export type { Status };

const missing = () => unauthorized('auth.token_revoked');

// One schema for fields of one kind: each that is made costs the start of every function behind a login 0.04 ms.
const text = z.string();
const flag = z._default(z.boolean(), false);

const admin = {
  row: z.object({
    id: text,
    /** Names the administrator in the audit log. */
    account: text,
    status,
    /** Whether everything is permitted. */
    super: flag,
    role_ids: z._default(z.array(text), []),
    /** Whether a login needs a second factor. */
    two_factor: flag,
  }),
  key: ({ id }: { id: string }) => singleKey(`ADMIN#${id}`),
  missing,
};
/** What decides about the requests of an administrator. The module of administrators stores more. */
export type AdminPrincipal = z.infer<typeof admin.row>;

/** The administrator of a request, with the grants of all roles. */
export interface AdminCaller extends AdminPrincipal, Rights {}

const role = {
  row: z.object({ id: text, grants: z.array(text) }),
  key: ({ id }: { id: string }) => ({ pk: 'ROLE', sk: id }),
  missing,
};

const user = {
  row: z.object({ id: text, status }),
  key: ({ id }: { id: string }) => singleKey(`USER#${id}`),
  missing,
};

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
export const userEntity = defineEntity({ ...user, target: 'user', mirror: { cache: userPrincipals } });

/** Modules write these records, with entities of their own. */
export const writtenKeys: ListWrittenKeys = () => [];
