import * as z from 'zod/mini';
import { titled } from '#shared/schema/titled.ts';
import { type DictEntry, dictEntries } from './cache.ts';
import { type DictOption, maxTypesPerRead, typeKey } from './read-schema.ts';

const rule = { error: 'rule.type_keys' };

/** Query of both dictionary reads: `type` = keys, comma-separated or repeated; `map=0` with exactly one. */
export const dictQuery = z
  .object({
    type: titled(
      { zh_CN: '字典类型', en: 'Dictionary types' },
      z.pipe(
        z.union([z.string(), z.array(z.string())], rule),
        z.pipe(
          z.transform((given: string | string[]) => [
            ...new Set([given].flat().flatMap((keys) => keys.split(','))),
          ]),
          z.array(typeKey).check(z.minLength(1, rule), z.maxLength(maxTypesPerRead, rule)),
        ),
      ),
    ),
    map: titled(
      {
        zh_CN: '结果格式',
        en: 'Form of the answer',
        options: {
          0: { zh_CN: '名称表', en: 'Names by value' },
          1: { zh_CN: '选项列表', en: 'List of options' },
        },
      },
      z.optional(z.enum(['0', '1'])),
    ),
  })
  .check(
    z.refine(({ type, map }) => map !== '0' || type.length === 1, {
      path: ['map'],
      error: 'rule.map_single',
    }),
  );

/** `public` readers see only public types. */
type Audience = 'internal' | 'public';

// Objects without a prototype, since keys and values come from clients.
type GroupedOptions = Record<string, DictOption[]>;
type OptionMap = Record<string, string>;

export const readEntries = (typeKeys: string[]): Promise<Map<string, DictEntry>> =>
  dictEntries.get([...new Set(typeKeys)].filter((typeKey) => typeKey !== ''));

/**
 * Options by type key. `internal` readers get an empty list for unknown and disabled types; for `public` readers,
 * unknown, private and disabled types are absent.
 */
export function toGrouped(entries: Map<string, DictEntry>, audience: Audience = 'internal'): GroupedOptions {
  const grouped: GroupedOptions = Object.create(null);
  for (const [typeKey, entry] of entries) {
    const isVisible = isReadable(entry, audience);
    if (isVisible || audience === 'internal') {
      grouped[typeKey] = isVisible ? entry.options.map(([value, name]) => ({ name, value })) : [];
    }
  }
  return grouped;
}

/** Names of one type by value; empty if {@link toGrouped} has no options of the type. */
export function toMap(entry: DictEntry | undefined, audience: Audience = 'internal'): OptionMap {
  const map: OptionMap = Object.create(null);
  if (!entry || !isReadable(entry, audience)) return map;
  for (const [value, name] of entry.options) map[value] = name;
  return map;
}

function isReadable({ isEnabled, isPublic }: DictEntry, audience: Audience): boolean {
  return isEnabled && (isPublic || audience === 'internal');
}

/** The reader of business code (specification, "Dictionary read result shapes"), served from the cache. */
export const dict = {
  /**
   * @param types one key, several separated by commas, or a list
   * @returns options by key; an empty list for an unknown or disabled type
   */
  async get(types: string | readonly string[]): Promise<GroupedOptions> {
    const typeKeys = typeof types === 'string' ? types.split(',').map((key) => key.trim()) : [...types];
    return toGrouped(await readEntries(typeKeys));
  },
  /** @returns names by value; empty for an unknown or disabled type */
  async map(typeKey: string): Promise<OptionMap> {
    return toMap((await readEntries([typeKey])).get(typeKey));
  },
};
