import { join } from 'node:path';
import { type CachedRecords, isCacheListener } from '#shared/module/module.ts';
import type { FoundCachedRecords, FoundListener, FoundModule } from '../model.ts';
import type { Scope } from '../scope.ts';
import { findEntities } from './entity-keys.ts';

/** Completes the listeners that follow the records with a cache. */
export async function followCaches(
  scope: Pick<Scope, 'root' | 'load' | 'problems'>,
  modules: readonly FoundModule[],
  listeners: readonly FoundListener[],
): Promise<FoundListener[]> {
  if (!listeners.some(({ listener }) => isCacheListener(listener))) return [...listeners];
  const cached = await findCachedRecords(scope, modules);
  const facts = { prefixes: cached.map(({ prefix }) => prefix), maxAgeSeconds: longestCacheSeconds(cached) };
  return listeners.map((found) =>
    isCacheListener(found.listener) ? { ...found, listener: { ...found.listener, ...facts }, cached } : found,
  );
}

/** The entities with a cache. If several have the same mirror, the platform's is taken, or else the first. */
async function findCachedRecords(
  { root, load, problems }: Pick<Scope, 'root' | 'load' | 'problems'>,
  modules: readonly FoundModule[],
): Promise<FoundCachedRecords[]> {
  const entities = findEntities(root, modules).filter(({ entity }) => entity.mirror);
  const ordered = entities.sort((a, b) => Number(a.module !== undefined) - Number(b.module !== undefined));
  const found: FoundCachedRecords[] = [];
  for (const [mirror, [first]] of Map.groupBy(ordered, ({ entity }) => entity.mirror)) {
    if (!first || !mirror) continue;
    const { file, base, entity, beginnings } = first;
    const exported = Object.entries(await load<Record<string, unknown>>(join(base, file)));
    const [name] = exported.find(([, value]) => value === entity) ?? [];
    const prefix = beginnings.get('key')?.text;
    if (name === undefined)
      problems.push(
        `${file}: an entity with a mirror is not exported: export it, so that the stream finds it`,
      );
    else if (!prefix)
      problems.push(`${file}: the key of ${name} has no known beginning: begin it with a text`);
    else found.push({ file, name, prefix, mirrors: [mirror].flat() });
  }
  return found;
}

/** Longest lifetime of a cache entry, in seconds. An older change has no entry left to clear. */
export const longestCacheSeconds = (cached: readonly CachedRecords[]): number =>
  Math.max(60, ...cached.flatMap(({ mirrors }) => mirrors.map(({ cache }) => cache.ttlSeconds)));
