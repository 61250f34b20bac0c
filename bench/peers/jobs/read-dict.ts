import { readAsAdmin } from './login.ts';
import { type EntryKeys, readCached } from './read-cached.ts';

/** A dictionary as it is cached. */
interface Dict {
  isEnabled: boolean;
  isPublic: boolean;
  options: [value: string, name: string][];
}

/** The open read: dictionaries that are there for everybody. */
export async function readPublicDict(keys: string[]) {
  return render(keys, await readCached(keys.map(toEntryKeys)), true);
}

/** The administrators' read. */
export async function readAdminDict(authorization: string | undefined, keys: string[]) {
  const { found } = await readAsAdmin(authorization, keys.map(toEntryKeys));
  return render(keys, found, false);
}

const toEntryKeys = (key: string): EntryKeys => [
  `service:dict:type:${key}`,
  `service:dict:generation:${key}`,
];

function render(keys: string[], dicts: unknown[], isOpen: boolean) {
  const data: Record<string, { name: string; value: string }[]> = {};
  for (const [index, key] of keys.entries()) {
    const { isEnabled, isPublic, options } = dicts[index] as Dict;
    if (isEnabled && (isPublic || !isOpen)) data[key] = options.map(([value, name]) => ({ name, value }));
    else if (!isOpen) data[key] = [];
  }
  return data;
}
