import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeDictionary } from '#shared/dict/import.ts';
import { restoreItems, seedDictionary } from '#shared/dict/seed.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ModuleManifest, Uninstall } from '#shared/module/module.ts';
import { removeSettings } from '#shared/settings/save.ts';
import { root } from '../project.ts';

/**
 * Creates the missing dictionaries of modules.
 *
 * @param isForced also adds missing items to existing dictionaries
 * @returns descriptions of the new data
 */
export async function seedData(manifests: readonly ModuleManifest[], isForced = false): Promise<string[]> {
  const seeded: string[] = [];
  for (const seed of manifests.flatMap(({ dictionaries = [] }) => dictionaries)) {
    if (await seedDictionary(seed)) seeded.push(`dictionary ${seed.type_key}`);
    else if (isForced) {
      const values = await restoreItems(seed);
      if (values.length > 0) seeded.push(`${values.join(', ')} in dictionary ${seed.type_key}`);
    }
  }
  return seeded;
}

/** Descriptions of the removed and the kept data of a module. */
export interface Removal {
  removed: string[];
  kept: string[];
}

/**
 * Removes the data of a module: first its own items, which may use its dictionaries, then its dictionaries and
 * settings. Keeps those that another installed module declares too.
 */
export async function removeData(
  manifest: ModuleManifest,
  others: readonly ModuleManifest[],
): Promise<Removal> {
  const removal: Removal = { removed: await removeOwnItems(manifest), kept: [] };
  for (const { type_key } of manifest.dictionaries ?? []) {
    const owner = others.find(({ dictionaries = [] }) =>
      dictionaries.some((seed) => seed.type_key === type_key),
    );
    if (owner) removal.kept.push(`dictionary ${type_key}, which ${owner.name} declares too`);
    else await removeUnused(type_key, removal);
  }
  for (const group of manifest.configs ?? []) {
    const owner = others.find(({ configs = [] }) => configs.some(({ name }) => name === group.name));
    if (owner) removal.kept.push(`settings ${group.name}, which ${owner.name} declares too`);
    else if ((await removeSettings(group)) > 0) removal.removed.push(`settings ${group.name}`);
  }
  return removal;
}

async function removeOwnItems({ name }: ModuleManifest): Promise<string[]> {
  const file = join(root, 'modules', name, 'uninstall.ts');
  if (!existsSync(file)) return [];
  const { default: uninstall }: { default: Uninstall } = await import(pathToFileURL(file).href);
  const counts = Object.entries(await uninstall.run());
  return counts.flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}

async function removeUnused(typeKey: string, { removed, kept }: Removal): Promise<void> {
  try {
    if (await removeDictionary(typeKey)) removed.push(`dictionary ${typeKey}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'dict.value_in_use') throw error;
    const users = (error.errors ?? []).map(({ path }) => path);
    kept.push(`dictionary ${typeKey}, which records of ${users.join(', ')} refer to`);
  }
}
