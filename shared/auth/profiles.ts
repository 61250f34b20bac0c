import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { type Entity, findRow } from '#shared/db/entity.ts';
import { sessionConfig } from './principal.ts';
import { type PrincipalKind, readCaller, unauthorized } from './token.ts';

/**
 * Caches the fields of a module's principals that are only shown, such as names. They have their own cache, because most
 * requests do not need them. The module gives its `mirror` to the entity that stores them.
 */
export function createProfiles<Profile extends object>(
  kind: PrincipalKind,
  entity: Entity<Profile, { id: string }>,
) {
  const cache = new VersionedCache<Profile | null>({
    entryKey: (id) => `service:profile:${kind}:${id}`,
    generationKey: (id) => `service:profile-generation:${kind}:${id}`,
    ttlSeconds: sessionConfig.cacheSeconds,
    isSigned: true,
    load: loadEach(async (id) => (await findRow(entity, { id })) ?? null),
  });
  return {
    mirror: { cache },
    /**
     * Reads the caller's beside the login gate, for a `prefetch`. Null if the token is not good, so that the gate
     * refuses the request, or if the principal does not exist any more.
     */
    async readOwn({
      event,
    }: {
      event: { headers: Record<string, string | undefined> };
    }): Promise<Profile | null> {
      const caller = readCaller(event.headers.authorization);
      return caller?.kind === kind ? cache.getOne(caller.principalId) : null;
    },
  };
}

/**
 * The answer about a caller: the profile, with what the login gate has read.
 *
 * @throws AppError `auth.principal_disabled` if the principal was deleted since the gate read it
 */
export function requireProfile<Profile extends object, Principal extends object>(
  profile: Profile | null,
  principal: Principal,
): Profile & Principal {
  if (!profile) throw unauthorized('auth.principal_disabled');
  return { ...profile, ...principal };
}
