import { settleAll } from '#shared/async/settle-all.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { ConfigGroup } from './group.ts';
import { openValues, readStored, secretMask } from './store.ts';

/** A value as JSON carries it. */
type Plain = string | number | boolean | null;

/** A setting as operators see it. */
export interface ListedSetting {
  group: string;
  key: string;
  /** What is in force; a stored secret as a mask. */
  value: Plain;
  default: Plain;
  secret: boolean;
  description: string;
}

/** The settings of some groups, in the order of their declaration, as they are in the table. */
export async function listSettings(
  groups: readonly ConfigGroup[],
  locale: keyof LocalisedText,
): Promise<ListedSetting[]> {
  const lists = await settleAll(groups.map((group) => listGroup(group, locale)));
  return lists.flat();
}

async function listGroup(group: ConfigGroup, locale: keyof LocalisedText): Promise<ListedSetting[]> {
  const stored = await readStored(group.name);
  const values: Record<string, unknown> = openValues(group, stored);
  return Object.entries(group.keys).map(([key, { secret = false, default: fallback, description }]) => ({
    group: group.name,
    key,
    value: secret && Object.hasOwn(stored, key) ? secretMask : toPlain(values[key]),
    default: toPlain(fallback),
    secret,
    description: description[locale],
  }));
}

function toPlain(value: unknown): Plain {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? value : null;
}
