import { randomUUID } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { log } from '#shared/log/log.ts';
import { type Redis, redis } from './redis.ts';

/** Generations by ID; null if an ID has none. */
type Generations = Map<string, string | null>;

export interface VersionedCacheOptions<Value> {
  /** Redis keys of an entry and of its generation. */
  entryKey(id: string): string;
  generationKey(id: string): string;
  ttlSeconds: number;
  /** Reads the database, strongly consistent. It must return a value for every ID, null for example. */
  load(ids: string[]): Promise<Map<string, Value>>;
  /** Whether a value is written to the cache. @default all */
  isCached?(value: Value): boolean;
  /** If false, every read goes to `load`. @default true */
  isEnabled?: boolean;
  client?(): Redis;
}

/**
 * A read-through cache that never brings an old value back. Each entry carries the generation that was read before
 * its value; it counts only while that generation is current. An invalidation sets a new generation, so a fill that
 * began before a write is void, also if it arrives late. Without a generation, no entry counts.
 */
export class VersionedCache<Value> {
  readonly #options: Required<VersionedCacheOptions<Value>>;
  readonly ttlSeconds: number;
  /** Loads that are under way, by generation and ID. */
  readonly #flights = new Map<string, Promise<Value>>();

  constructor(options: VersionedCacheOptions<Value>) {
    this.#options = { isCached: () => true, isEnabled: true, client: redis, ...options };
    this.ttlSeconds = options.ttlSeconds;
  }

  /** Values by ID. Concurrent misses of one ID load it once in this process. */
  get = async (ids: string[]): Promise<Map<string, Value>> => {
    if (ids.length === 0) return new Map();
    const values = new Map<string, Value>();
    const generations = this.#options.isEnabled ? await this.#readEntries(ids, values) : undefined;
    const missing = ids.filter((id) => !values.has(id));
    if (missing.length > 0) await this.#readThrough(missing, generations, values);
    return values;
  };

  /** The value of one ID. */
  getOne = async (id: string): Promise<Value> => {
    const value = (await this.get([id])).get(id);
    if (value === undefined) throw new Error(`nothing was loaded for ${this.#options.entryKey(id)}`);
    return value;
  };

  /**
   * Makes the entries of these IDs unusable, also those whose fill is under way. Call it after the write and before the
   * answer. Returns false if the cache is away: entries are then stale for at most `ttlSeconds`.
   */
  invalidate = async (ids: string[]): Promise<boolean> => {
    // A reader after this write must not join a load that began before it.
    for (const id of ids) this.#flights.delete(` ${id}`);
    if (!this.#options.isEnabled || ids.length === 0) return true;
    try {
      // Try twice: a missed invalidation leaves old values for up to ttlSeconds.
      await this.#dropEntries(ids).catch(() => this.#dropEntries(ids));
      return true;
    } catch (error) {
      // The write stands. Entries expire after ttlSeconds, and the table's stream invalidates again.
      log.error('cache.invalidate_failed', { error, keys: ids.map(this.#options.entryKey) });
      return false;
    }
  };

  /** Puts the current entries into `values`. @returns the generations; undefined if the cache is away */
  async #readEntries(ids: string[], values: Map<string, Value>): Promise<Generations | undefined> {
    const { entryKey, generationKey, client } = this.#options;
    const generations: Generations = new Map();
    try {
      const keys = ids.flatMap((id) => [entryKey(id), generationKey(id)]);
      const cells = await client().mget<(string | null)[]>(keys);
      for (const [index, id] of ids.entries()) {
        const generation = cells[index * 2 + 1] ?? null;
        const entry = parseEntry<Value>(cells[index * 2] ?? undefined);
        generations.set(id, generation);
        if (entry && generation !== null && entry.generation === generation) values.set(id, entry.value);
      }
      return generations;
    } catch (error) {
      // The database answers instead.
      log.warn('cache.read_failed', { error });
      return undefined;
    }
  }

  async #readThrough(
    ids: string[],
    generations: Generations | undefined,
    values: Map<string, Value>,
  ): Promise<void> {
    const flightKey = (id: string) => `${generations?.get(id) ?? ''} ${id}`;
    const fresh = ids.filter((id) => !this.#flights.has(flightKey(id)));
    if (fresh.length > 0) this.#launch(fresh, generations, flightKey);
    await settleAll(
      ids.map(async (id) => {
        const flight = this.#flights.get(flightKey(id));
        if (flight) values.set(id, await flight);
      }),
    );
  }

  /** Starts one load for all of `ids`, and leaves a flight for each that other readers may join. */
  #launch(ids: string[], generations: Generations | undefined, flightKey: (id: string) => string): void {
    const { client, entryKey, isCached, load, ttlSeconds } = this.#options;
    const claims = generations ? this.#claimGenerations(ids, generations) : undefined;
    const loading = load(ids);
    for (const id of ids) {
      const key = flightKey(id);
      const flight = (async () => {
        const [loaded, claimed] = await settleAll([loading, claims]);
        const value = loaded.get(id);
        if (value === undefined) throw new Error(`nothing was loaded for ${entryKey(id)}`);
        const generation = claimed?.get(id);
        if (generation && isCached(value)) {
          client().deferSet(entryKey(id), JSON.stringify({ generation, value }), ttlSeconds);
        }
        return value;
      })();
      this.#join(key, flight);
      if (generations?.get(id)) continue;
      // The generation is known now: readers that see it join; readers that still find none (evicted) load again.
      claims?.then((claimed) => {
        this.#flights.delete(key);
        const generation = claimed.get(id);
        if (generation) this.#join(`${generation} ${id}`, flight);
      });
    }
  }

  /** Lets other readers join a flight until it lands. */
  #join(key: string, flight: Promise<Value>): void {
    this.#flights.set(key, flight);
    const land = () => this.#flights.get(key) === flight && this.#flights.delete(key);
    flight.then(land, land);
  }

  /** The generation that each fill may carry. A missing one is set while the value is loaded. */
  async #claimGenerations(ids: string[], generations: Generations): Promise<Map<string, string>> {
    const { client, generationKey, ttlSeconds } = this.#options;
    const claimed = new Map<string, string>();
    await settleAll(
      ids.map(async (id) => {
        const generation = generations.get(id);
        if (generation) return void claimed.set(id, generation);
        const token = randomUUID();
        // If NX fails, another process owns the generation, perhaps for a write: skip the fill.
        const reply = await client()
          .set(generationKey(id), token, { nx: true, ex: ttlSeconds * 2 })
          .catch(() => null);
        if (reply === 'OK') claimed.set(id, token);
      }),
    );
    return claimed;
  }

  async #dropEntries(ids: string[]): Promise<void> {
    const { client, entryKey, generationKey, ttlSeconds } = this.#options;
    await settleAll(
      ids.flatMap((id) => [
        client().set(generationKey(id), randomUUID(), { ex: ttlSeconds * 2 }),
        client().del(entryKey(id)),
      ]),
    );
  }
}

/** Makes a `load` that loads each ID by itself. */
export const loadEach =
  <Value>(load: (id: string) => Promise<Value>) =>
  async (ids: string[]): Promise<Map<string, Value>> =>
    new Map(await settleAll(ids.map(async (id) => [id, await load(id)] as const)));

function parseEntry<Value>(cell = ''): { generation: string; value: Value } | undefined {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined; // Not one of our entries.
  }
}
