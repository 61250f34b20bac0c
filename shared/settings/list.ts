import { settleAll } from '#shared/async/settle-all.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { ConfigGroup, ConfigKey } from './group.ts';
import { openValues, readStored, secretMask } from './store.ts';

type Plain = string | number | boolean | null;

/**
 * Settings for operators, in the order of their declaration, read from the table. A stored secret is a mask.
 *
 * @param toAnswer converts a stored value by its schema. @default none
 */
export async function listSettings(
  groups: readonly ConfigGroup[],
  locale: keyof LocalisedText,
  toAnswer: Convert = (_schema, value) => value,
) {
  const lists = await settleAll(groups.map((group) => listGroup(group, locale, toAnswer)));
  return lists.flat();
}

type Convert = (schema: ConfigKey['schema'], value: unknown) => unknown;

async function listGroup(group: ConfigGroup, locale: keyof LocalisedText, toAnswer: Convert) {
  const stored = await readStored(group.name);
  const values: Record<string, unknown> = openValues(group, stored);
  return Object.entries(group.keys).map(
    ([key, { schema, secret = false, default: fallback, description }]) => ({
      group: group.name,
      key,
      value: secret && Object.hasOwn(stored, key) ? secretMask : toPlain(toAnswer(schema, values[key])),
      default: toPlain(fallback),
      secret,
      description: description[locale],
    }),
  );
}

function toPlain(value: unknown): Plain {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? value : null;
}
