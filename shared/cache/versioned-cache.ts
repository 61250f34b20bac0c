import { randomUUID } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { log } from '#shared/log/log.ts';
import type { RedisResult } from './protocol.ts';
import { type Redis, redis } from './redis.ts';

export interface VersionedCacheOptions<Value> {
  /** Redis key of an entry. */
  entryKey(id: string): string;
  /** Redis key of the generation of an entry. */
  generationKey(id: string): string;
  /** Seconds an entry lives. */
  ttlSeconds: number;
  /**
   * Reads the truth; must be strongly consistent. Every ID gets a value, also one that stands for nothing.
   */
  load(ids: string[]): Promise<Map<string, Value>>;
  /** Whether a value is written to the cache. @default every value is */
  isCached?(value: Value): boolean;
  /** @default true; switched off, every read goes to `load` */
  isEnabled?: boolean;
  client?(): Redis;
}

/** A read-through cache whose fills never bring an old value back. */
export interface VersionedCache<Value> {
  /** The values by ID. Concurrent misses of one ID load it once in this process. */
  get(ids: string[]): Promise<Map<string, Value>>;
  /**
   * Makes every entry of these IDs unusable, fills under way included. Call it after the write and before
   * its answer. Does not throw when the cache is away: staleness is then bounded by `ttlSeconds`.
   *
   * @returns whether the cache took it
   */
  invalidate(ids: string[]): Promise<boolean>;
}

/**
 * Each entry carries the generation that was read before its value was; a reader takes it only while that
 * generation still stands. Invalidation sets a generation that never was, so a fill that began before a
 * write is void however late it arrives. A missing generation (evicted, expired, never set) matches nothing.
 */
export function createVersionedCache<Value>(options: VersionedCacheOptions<Value>): VersionedCache<Value> {
  const { entryKey, generationKey, ttlSeconds, load, isEnabled = true, client = redis } = options;
  const { isCached = () => true } = options;
  const flights = new Map<string, Promise<Value>>();
  const generationSeconds = ttlSeconds * 2;

  async function get(ids: string[]): Promise<Map<string, Value>> {
    if (ids.length === 0) return new Map();
    const values = new Map<string, Value>();
    const generations = isEnabled ? await readEntries(ids, values) : undefined;
    const missing = ids.filter((id) => !values.has(id));
    if (missing.length > 0) await readThrough(missing, generations, values);
    return values;
  }

  /** Puts the good entries into `values`; answers the generations, undefined when the cache is away. */
  async function readEntries(ids: string[], values: Map<string, Value>) {
    const generations = new Map<string, string | null>();
    try {
      const cells = await client().mget<RedisResult[]>(
        ids.flatMap((id) => [entryKey(id), generationKey(id)]),
      );
      for (const [index, id] of ids.entries()) {
        const generation = toText(cells[index * 2 + 1]);
        const entry = parseEntry<Value>(cells[index * 2]);
        generations.set(id, generation);
        if (entry && generation !== null && entry.generation === generation) values.set(id, entry.value);
      }
      return generations;
    } catch (error) {
      // A cache that is away must not take the service with it: the database answers.
      log.warn('cache.read_failed', { error });
      return undefined;
    }
  }

  async function readThrough(
    ids: string[],
    generations: Map<string, string | null> | undefined,
    values: Map<string, Value>,
  ): Promise<void> {
    const flightKey = (id: string) => `${generations?.get(id) ?? ''} ${id}`;
    const fresh = ids.filter((id) => !flights.has(flightKey(id)));
    if (fresh.length > 0) launch(fresh, generations, flightKey);
    await settleAll(
      ids.map(async (id) => {
        const flight = flights.get(flightKey(id));
        if (flight) values.set(id, await flight);
      }),
    );
  }

  /** Starts one load for all of `ids`, and leaves a flight for each that others may join. */
  function launch(
    ids: string[],
    generations: Map<string, string | null> | undefined,
    flightKey: (id: string) => string,
  ): void {
    const claims = generations ? claimGenerations(ids, generations) : undefined;
    const loading = load(ids);
    for (const id of ids) {
      const key = flightKey(id);
      const flight = (async () => {
        const [loaded, claimed] = await settleAll([loading, claims]);
        const value = loaded.get(id);
        if (value === undefined) throw new Error(`nothing was loaded for ${entryKey(id)}`);
        const generation = claimed?.get(id);
        if (generation && isCached(value)) fill(id, generation, value);
        return value;
      })();
      join(key, flight);
      if (generations?.get(id)) continue;
      // The generation is known now: who reads it joins, who still finds none (evicted) loads anew.
      claims?.then((claimed) => {
        flights.delete(key);
        const generation = claimed.get(id);
        if (generation) join(`${generation} ${id}`, flight);
      });
    }
  }

  /** Lets others join a flight until it lands. */
  function join(key: string, flight: Promise<Value>): void {
    flights.set(key, flight);
    const land = () => flights.get(key) === flight && flights.delete(key);
    flight.then(land, land);
  }

  /** The generation each fill may carry; where there is none, one is set beside the load. */
  async function claimGenerations(ids: string[], generations: Map<string, string | null>) {
    const claimed = new Map<string, string>();
    await settleAll(
      ids.map(async (id) => {
        const generation = generations.get(id);
        if (generation) claimed.set(id, generation);
        else {
          const token = randomUUID();
          // Who comes second gets null and fills nothing: somebody's write may have been first.
          const reply = await client()
            .set(generationKey(id), token, { nx: true, ex: generationSeconds })
            .catch(() => null);
          if (reply === 'OK') claimed.set(id, token);
        }
      }),
    );
    return claimed;
  }

  function fill(id: string, generation: string, value: Value): void {
    const text = JSON.stringify({ generation, value });
    client().defer(entryKey(id), ttlSeconds, (ageSeconds) =>
      client().set(entryKey(id), text, { ex: ttlSeconds - ageSeconds }),
    );
  }

  async function dropEntries(ids: string[]): Promise<void> {
    await settleAll(
      ids.flatMap((id) => [
        client().set(generationKey(id), randomUUID(), { ex: generationSeconds }),
        client().del(entryKey(id)),
      ]),
    );
  }

  async function invalidate(ids: string[]): Promise<boolean> {
    // Who comes after this write must not join a load that began before it.
    for (const id of ids) flights.delete(` ${id}`);
    if (!isEnabled || ids.length === 0) return true;
    try {
      // A cache that was too slow once is asked again: a missed invalidation costs up to ttlSeconds of truth.
      await dropEntries(ids).catch(() => dropEntries(ids));
      return true;
    } catch (error) {
      // The write stands; entries are at most ttlSeconds old and the table's stream invalidates again.
      log.error('cache.invalidate_failed', { error, keys: ids.map(entryKey) });
      return false;
    }
  }

  return { get, invalidate };
}

/**
 * Runs a write and then drops the entries that depend on it, after a failure too: a write whose answer was lost may
 * have happened.
 */
export async function withInvalidation<T>(
  cache: Pick<VersionedCache<unknown>, 'invalidate'>,
  ids: string[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } finally {
    await cache.invalidate(ids);
  }
}

function toText(cell: RedisResult | undefined): string | null {
  return typeof cell === 'string' ? cell : null;
}

function parseEntry<Value>(cell: RedisResult | undefined): { generation: string; value: Value } | undefined {
  if (typeof cell !== 'string') return undefined;
  try {
    return JSON.parse(cell);
  } catch {
    return undefined; // Not an entry of ours: as good as none.
  }
}
