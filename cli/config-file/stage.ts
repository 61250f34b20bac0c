import { listRoles } from '#modules/System/roles/roles.ts';
import type { Role } from '#modules/System/roles/schema.ts';
import type { Permission } from '#shared/auth/permission.ts';
import { getItems } from '#shared/db/items.ts';
import { listDictItems } from '#shared/dict/items.ts';
import type { DictItem, DictType } from '#shared/dict/schema.ts';
import { listDictTypes } from '#shared/dict/types.ts';
import { usageTotalKey } from '#shared/dict/usage.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { openValues, readStored, type StoredValues } from '#shared/settings/store.ts';
import { type ConfigFile, checkConfigFile, formatConfigFile } from './format.ts';

/** A type with its items. */
export interface StageType extends DictType {
  items: DictItem[];
}

/** A group of settings with its values. */
export interface StageGroup {
  group: ConfigGroup;
  /** As stored; secrets are encrypted. */
  stored: StoredValues;
  /** Stored values or defaults, without secrets. */
  values: Record<string, unknown>;
}

/** What a stage has. */
export interface Stage {
  types: StageType[];
  roles: Role[];
  groups: StageGroup[];
  /** All permissions of the enabled modules. */
  permissions: readonly Permission[];
  /** Keys of the dictionary types that modules create. */
  seeded: ReadonlySet<string>;
}

/**
 * Reads the stage that the environment selects, from the table.
 *
 * @param manifests of the enabled modules
 * @param permissions all of these modules
 */
export async function readStage(
  manifests: readonly ModuleManifest[],
  permissions: readonly Permission[],
): Promise<Stage> {
  const types: StageType[] = [];
  for (const type of await listDictTypes()) {
    types.push({ ...type, items: await listDictItems(type.type_key) });
  }
  const groups: StageGroup[] = [];
  for (const group of manifests.flatMap(({ configs = [] }) => configs)) groups.push(await readGroup(group));
  return {
    types,
    roles: await listRoles(),
    groups,
    permissions,
    seeded: new Set(
      manifests.flatMap(({ dictionaries = [] }) => dictionaries).map(({ type_key }) => type_key),
    ),
  };
}

async function readGroup(group: ConfigGroup): Promise<StageGroup> {
  const stored = await readStored(group.name);
  // Secrets are not decrypted: nothing here may have them.
  const keys = Object.fromEntries(Object.entries(group.keys).filter(([, { secret }]) => !secret));
  return { group, stored, values: openValues({ ...group, keys }, stored) };
}

/** Values of a dictionary that records use. @param candidates the values to look at */
export async function findUsed(typeKey: string, candidates: readonly string[]): Promise<Set<string>> {
  const totals = await getItems(candidates.map((value) => usageTotalKey(typeKey, value)));
  const used = new Set(totals.filter(({ count }) => Number(count) > 0).map(({ pk }) => pk));
  return new Set(candidates.filter((value) => used.has(usageTotalKey(typeKey, value).pk)));
}

/** Names of the secrets of a group that are set, or that are not: `group.key`. */
export const listSecrets = ({ group, stored }: StageGroup, isSet: boolean): string[] =>
  Object.entries(group.keys)
    .filter(([key, { secret }]) => secret && Object.hasOwn(stored, key) === isSet)
    .map(([key]) => `${group.name}.${key}`);

/** What a file has of a stage. */
export const toContent = ({ types, roles, groups }: Stage): ConfigFile => ({
  format: 1,
  dictionaries: types,
  roles,
  settings: Object.fromEntries(groups.map(({ group, values }) => [group.name, values])),
  secrets: groups.flatMap((each) => listSecrets(each, true)),
});

/** The text of a stage's file. @throws Error if it could not be read again, as with two roles of one name */
export function createConfigFile(stage: Stage): string {
  const text = formatConfigFile(toContent(stage));
  checkConfigFile(JSON.parse(text), 'The stage has what a file cannot have. Change it there:');
  return text;
}
