import { readAsAdmin } from './login.ts';
import { type EntryKeys, readCounted } from './read-cached.ts';
import { Refusal } from './refusal.ts';

/** A dictionary as it is cached. */
interface Dict {
  isEnabled: boolean;
  isPublic: boolean;
  options: [value: string, name: string][];
}

const siteKeys: EntryKeys = ['service:site-status', 'service:site-status:generation'];
const limit = 300 * Number(process.env.THROTTLE_FACTOR ?? 1);

/** The open read of public dictionaries, of an open site, with a throttle. */
export async function readPublicDict(keys: string[]) {
  const { found, used } = await readCounted([siteKeys, ...keys.map(toEntryKeys)]);
  const [site, ...dicts] = found;
  if ((site as { isClosed: boolean }).isClosed) throw new Refusal(503, 'closed');
  if (used > limit) throw new Refusal(429, 'too often');
  return render(keys, dicts, true);
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
