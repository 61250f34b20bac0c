import * as z from 'zod/mini';
import { readAsAdmin } from './login.ts';
import { parse } from './parse.ts';
import { type EntryKeys, readCached } from './read-cached.ts';

/** A dictionary as it is cached. */
interface Dict {
  isEnabled: boolean;
  isPublic: boolean;
  options: [value: string, name: string][];
}

const typeKeys = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*){0,49}$/, { error: 'keys of dictionaries' }));

/** The open read: dictionaries that are there for everybody. @param type keys, comma-separated */
export async function readPublicDict(type: string | undefined) {
  const keys = parse(typeKeys, type).split(',');
  return render(keys, await readCached(keys.map(toEntryKeys)), true);
}

/** The administrators' read. @param type keys, comma-separated */
export async function readAdminDict(authorization: string | undefined, type: string | undefined) {
  const keys = parse(typeKeys, type).split(',');
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
