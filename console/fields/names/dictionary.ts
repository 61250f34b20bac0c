import { shallowReactive } from 'vue';
import { call } from '../../base/api.ts';

export interface DictionaryOption {
  name: string;
  value: string;
}

const freshMs = 60_000;
const maxTypesPerRead = 50;
const known = shallowReactive(new Map<string, readonly DictionaryOption[]>());
const readAt = new Map<string, number>();
let wanted = new Set<string>();

/**
 * The enabled values of a dictionary, from a cache of one minute; empty until they are read. Use it in a template or a
 * `computed`: it shows the values when they arrive. All dictionaries that a page asks for are read in one request.
 */
export function dictionaryOptions(typeKey: string): readonly DictionaryOption[] {
  if (Date.now() - (readAt.get(typeKey) ?? Number.NEGATIVE_INFINITY) > freshMs) want(typeKey);
  return known.get(typeKey) ?? [];
}

/** Name of a value; undefined if it is not known, or not yet. */
export const dictionaryName = (typeKey: string, value: string): string | undefined =>
  dictionaryOptions(typeKey).find((option) => option.value === value)?.name;

/** Reads dictionaries again when they are asked for. Call it after a change of their items. */
export const forgetDictionaries = (): void => readAt.clear();

/** Waits until the dictionaries are read, for work that needs all names at once, as an export. */
export async function loadDictionaries(typeKeys: readonly string[]): Promise<void> {
  const missing = typeKeys.filter((key) => !known.has(key));
  if (missing.length > 0) await read(missing);
}

function want(typeKey: string): void {
  readAt.set(typeKey, Date.now());
  if (wanted.size === 0) queueMicrotask(readWanted);
  wanted.add(typeKey);
}

function readWanted(): void {
  const keys = [...wanted];
  wanted = new Set();
  // Without an answer the values are shown instead of the names, and the next page asks again.
  read(keys).catch(() => {
    for (const key of keys) readAt.delete(key);
  });
}

async function read(keys: readonly string[]): Promise<void> {
  for (let index = 0; index < keys.length; index += maxTypesPerRead) {
    const type = keys.slice(index, index + maxTypesPerRead).join(',');
    const found = await call<Record<string, DictionaryOption[]>>('GET', '/adminapi/system/config/dict', {
      type,
    });
    for (const [key, options] of Object.entries(found)) known.set(key, options);
  }
}
