import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeDictionary } from '#shared/dict/import.ts';
import { restoreItems, seedDictionary } from '#shared/dict/seed.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ModuleManifest, Uninstall } from '#shared/module/module.ts';
import { removeSettings } from '#shared/settings/save.ts';
import { root } from '../project.ts';

/** Creates the missing dictionaries of modules. @param isForced also adds missing items to existing dictionaries */
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

/** Removes a module's items, then its dictionaries and settings, but not those that another module declares too. */
export async function removeData(manifest: ModuleManifest, others: readonly ModuleManifest[]) {
  const removed = await removeOwnItems(manifest);
  const kept: string[] = [];
  for (const { type_key } of manifest.dictionaries ?? []) {
    const owner = others.find((other) => other.dictionaries?.some((seed) => seed.type_key === type_key));
    const reason = owner ? `${owner.name} declares too` : await removeUnused(type_key, removed);
    if (reason) kept.push(`dictionary ${type_key}, which ${reason}`);
  }
  for (const group of manifest.configs ?? []) {
    const owner = others.find((other) => other.configs?.some(({ name }) => name === group.name));
    if (owner) kept.push(`settings ${group.name}, which ${owner.name} declares too`);
    else if ((await removeSettings(group)) > 0) removed.push(`settings ${group.name}`);
  }
  return { removed, kept };
}

async function removeOwnItems({ name }: ModuleManifest): Promise<string[]> {
  const file = join(root, 'modules', name, 'uninstall.ts');
  if (!existsSync(file)) return [];
  const { default: uninstall }: { default: Uninstall } = await import(pathToFileURL(file).href);
  const counts = Object.entries(await uninstall.run());
  return counts.flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}

/** Removes a dictionary, unless it is used. @returns the reason for keeping it */
async function removeUnused(typeKey: string, removed: string[]): Promise<string | undefined> {
  try {
    if (await removeDictionary(typeKey)) removed.push(`dictionary ${typeKey}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'dict.value_in_use') throw error;
    return `records of ${error.errors?.map(({ path }) => path).join(', ')} refer to`;
  }
}
