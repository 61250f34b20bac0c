import { call } from '../../base/api.ts';
import { createNameCache } from './name-cache.ts';

export interface DictionaryOption {
  name: string;
  value: string;
}

const maxTypesPerRead = 50;
const dictionaries = createNameCache<readonly DictionaryOption[]>(
  async (keys) =>
    Object.entries(
      await call<Record<string, DictionaryOption[]>>('GET', '/adminapi/system/config/dict', {
        type: keys.join(','),
      }),
    ),
  maxTypesPerRead,
);

/** The enabled values of a dictionary; empty until they are read. Use it in a template or a `computed`. */
export const dictionaryOptions = (typeKey: string): readonly DictionaryOption[] =>
  dictionaries.get(typeKey) ?? [];

/** Name of a value; undefined if it is not known, or not yet. */
export const dictionaryName = (typeKey: string, value: string): string | undefined =>
  dictionaryOptions(typeKey).find((option) => option.value === value)?.name;

/** The value of a name, or of a text that is a value itself; undefined if it is not known. */
export const dictionaryValue = (typeKey: string, text: string): string | undefined =>
  dictionaryOptions(typeKey).find(({ name, value }) => value === text || name === text)?.value;

/** Reads dictionaries again when they are asked for. Call it after a change of their items. */
export const forgetDictionaries = dictionaries.forget;

/** Waits until the dictionaries are read, for work that needs all names at once, as an export. */
export const loadDictionaries = dictionaries.load;
