import { type DictEntry, dictEntries } from './cache.ts';
import type { DictOption } from './read-schema.ts';

/** Who reads: an open reader sees only types that are public. */
export type Audience = 'internal' | 'public';

/** Options by type key; without a prototype, since keys come from outside. */
export type GroupedOptions = Record<string, DictOption[]>;
/** Names by value; without a prototype, since values come from outside. */
export type OptionMap = Record<string, string>;

/** The cached entries of several types, by key. */
export const readEntries = (typeKeys: string[]): Promise<Map<string, DictEntry>> =>
  dictEntries.get([...new Set(typeKeys)].filter((typeKey) => typeKey !== ''));

/**
 * Groups entries by type. For `internal` readers unknown and disabled types give an empty list, for `public`
 * ones unknown, private and disabled types are all absent.
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

/** Maps the values of one type to their names; empty where {@link toGrouped} would hold nothing of it. */
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
   * @returns for each key the list of its options; empty for an unknown or disabled type
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
