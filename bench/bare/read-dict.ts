import { Redis } from '@upstash/redis';

const redis = Redis.fromEnv();

/** An entry of a versioned cache, as it is stored. */
interface Entry<Value> {
  generation: string;
  value: Value;
}
interface Dict {
  isEnabled: boolean;
  isPublic: boolean;
  options: [value: string, name: string][];
}

/** Redis keys of an entry and of its generation. */
export type EntryKeys = [entry: string, generation: string];

/** Reads the entries and the dictionaries `typeKeys` in one command. */
export async function readCached<Value>(entries: EntryKeys[], typeKeys: string[]) {
  const dictKeys = typeKeys.map(
    (key): EntryKeys => [`service:dict:type:${key}`, `service:dict:generation:${key}`],
  );
  const cells = await redis.mget<(Entry<Value | Dict> | string | null)[]>(
    ...[...entries, ...dictKeys].flat(),
  );
  const values: (Value | Dict)[] = [];
  for (let at = 0; at < cells.length; at += 2) {
    const entry = cells[at];
    if (entry === null || typeof entry !== 'object' || entry.generation !== cells[at + 1])
      throw new Error('a miss');
    values.push(entry.value);
  }
  return { found: values.slice(0, entries.length) as Value[], dicts: values.slice(entries.length) as Dict[] };
}

/** The answer of the route: every dictionary that the caller may see, in the envelope. */
export function render(typeKeys: string[], dicts: Dict[], isOpen: boolean, requestId: string) {
  const data: Record<string, { name: string; value: string }[]> = {};
  for (const [index, key] of typeKeys.entries()) {
    const dict = dicts[index];
    const isVisible = dict?.isEnabled && (dict.isPublic || !isOpen);
    if (isVisible) data[key] = dict.options.map(([value, name]) => ({ name, value }));
    else if (!isOpen) data[key] = [];
  }
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ code: 'ok', message: '成功', data, request_id: requestId }),
  };
}
