import { randomUUID } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { log } from '#shared/log/log.ts';
import { type EntryFormat, plainFormat, signedFormat } from './cache-entry.ts';
import { type Redis, redis } from './redis.ts';

/** An entry or a generation; null if it does not exist. */
type Cell = string | null | undefined;
/** Those that were read, by Redis key. */
type Cells = ReadonlyMap<string, Cell>;

export interface VersionedCacheOptions<Value> {
  /** Redis keys of an entry and of its generation. */
  entryKey(id: string): string;
  generationKey(id: string): string;
  /** Redis key of a second generation, on which every entry depends. */
  dependsOn?: string;
  ttlSeconds: number;
  /** Reads the database, strongly consistent. It must return a value for every ID, null for example. */
  load(ids: string[]): Promise<Map<string, Value>>;
  /** Whether a value is written to the cache. @default all */
  isCached?(value: Value): boolean;
  /**
   * Whether entries carry a MAC, for values that decide what a caller may do: an entry that this service did not make
   * is a miss. @default false
   */
  isSigned?: boolean;
  /** If false, every read goes to `load`. @default true */
  isEnabled?: boolean;
  client?(): Redis;
}

type Defaults<Value> = Required<Pick<VersionedCacheOptions<Value>, 'isCached' | 'isEnabled' | 'client'>>;

/**
 * A read-through cache that never brings an old value back. Each entry carries the generation that was read before
 * its value; it counts only while that generation is current. An invalidation sets a new generation, so a fill that
 * began before a write is void, also if it arrives late. Without a generation, no entry counts.
 */
export class VersionedCache<Value> {
  readonly #options: VersionedCacheOptions<Value> & Defaults<Value>;
  readonly #format: EntryFormat;
  readonly ttlSeconds: number;
  /** Loads that are under way, by generation and ID. */
  readonly #loads = new Map<string, Promise<Value>>();

  constructor(options: VersionedCacheOptions<Value>) {
    this.#options = { isCached: () => true, isEnabled: true, client: redis, ...options };
    this.ttlSeconds = options.ttlSeconds;
    this.#format = options.isSigned ? signedFormat : plainFormat;
  }

  /** Values by ID. Concurrent misses of one ID load it once in this process. */
  get = async (ids: string[]): Promise<Map<string, Value>> => {
    if (ids.length === 0) return new Map();
    const values = new Map<string, Value>();
    const cells = this.#options.isEnabled ? await this.#readEntries(ids, values) : undefined;
    const missing = ids.filter((id) => !values.has(id));
    if (missing.length > 0) await this.#readThrough(missing, cells, values);
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
    for (const id of ids) this.#loads.delete(` ${id}`);
    const { isEnabled, entryKey } = this.#options;
    if (!isEnabled || ids.length === 0) return true;
    return this.#invalidate(ids.map(entryKey), () => this.#dropEntries(ids));
  };

  /** Makes all entries unusable, by the generation of `dependsOn`. Otherwise like {@link invalidate}. */
  invalidateAll = async (): Promise<boolean> => {
    const { dependsOn } = this.#options;
    if (dependsOn === undefined) throw new Error('this cache has no generation for all entries');
    this.#loads.clear();
    return this.#invalidate([dependsOn], () => this.#renew(dependsOn));
  };

  async #invalidate(keys: string[], drop: () => Promise<unknown>): Promise<boolean> {
    try {
      // Try twice: a missed invalidation leaves old values for up to ttlSeconds.
      await drop().catch(drop);
      return true;
    } catch (error) {
      // The write stands. Entries expire after ttlSeconds, and the table's stream invalidates again.
      log.error('cache.invalidate_failed', { error, keys });
      return false;
    }
  }

  #renew(generationKey: string): Promise<unknown> {
    return this.#options.client().set(generationKey, randomUUID(), { ex: this.#options.ttlSeconds * 2 });
  }

  #generationKeys(id: string): string[] {
    const { generationKey, dependsOn } = this.#options;
    return dependsOn === undefined ? [generationKey(id)] : [generationKey(id), dependsOn];
  }

  /** The generation that an entry must carry; null if a part of it is missing. @param ofAll that of `dependsOn` */
  #toGeneration(own: Cell, ofAll: Cell): string | null {
    if (this.#options.dependsOn === undefined) return own ?? null;
    return own && ofAll ? `${own} ${ofAll}` : null;
  }

  #generationOf(id: string, cells: Cells): string | null {
    const { generationKey, dependsOn = '' } = this.#options;
    return this.#toGeneration(cells.get(generationKey(id)), cells.get(dependsOn));
  }

  /** Puts the current entries into `values`. @returns the cells that were read; undefined if the cache is away */
  async #readEntries(ids: string[], values: Map<string, Value>): Promise<Cells | undefined> {
    const { entryKey, generationKey, dependsOn, client } = this.#options;
    try {
      const keys = ids.flatMap((id) => [entryKey(id), generationKey(id)]);
      if (dependsOn !== undefined) keys.push(dependsOn);
      const found = await client().mget<Cell[]>(keys);
      const ofAll = found[ids.length * 2];
      for (const [index, id] of ids.entries()) {
        const generation = this.#toGeneration(found[index * 2 + 1], ofAll);
        const cell = found[index * 2];
        const entry = cell ? this.#format.decode<Value>(entryKey(id), cell) : undefined;
        if (entry && generation !== null && entry.generation === generation) values.set(id, entry.value);
      }
      // Every warm request comes here: only a miss looks cells up by key.
      return values.size === ids.length ? noCells : new Map(keys.map((key, at) => [key, found[at]]));
    } catch (error) {
      // The database answers instead.
      log.warn('cache.read_failed', { error });
      return undefined;
    }
  }

  async #readThrough(ids: string[], cells: Cells | undefined, values: Map<string, Value>): Promise<void> {
    const loadKey = (id: string) => `${(cells && this.#generationOf(id, cells)) ?? ''} ${id}`;
    const fresh = ids.filter((id) => !this.#loads.has(loadKey(id)));
    if (fresh.length > 0) this.#startLoad(fresh, cells, loadKey);
    await settleAll(
      ids.map(async (id) => {
        const pending = this.#loads.get(loadKey(id));
        if (pending) values.set(id, await pending);
      }),
    );
  }

  /** Starts one load for all of `ids`, and keeps a promise for each that other readers may join. */
  #startLoad(ids: string[], cells: Cells | undefined, loadKey: (id: string) => string): void {
    const { client, entryKey, isCached, load, ttlSeconds } = this.#options;
    const claims = cells ? this.#claimGenerations(ids, cells) : undefined;
    const loading = load(ids);
    for (const id of ids) {
      const key = loadKey(id);
      const pending = (async () => {
        const [loaded, claimed] = await settleAll([loading, claims]);
        const value = loaded.get(id);
        if (value === undefined) throw new Error(`nothing was loaded for ${entryKey(id)}`);
        const generation = claimed?.get(id);
        if (generation && isCached(value)) {
          const key = entryKey(id);
          client().deferSet(key, this.#format.encode(key, { generation, value }, ttlSeconds), ttlSeconds);
        }
        return value;
      })();
      this.#join(key, pending);
      if (cells && this.#generationOf(id, cells)) continue;
      // The generation is known now: readers that see it join; readers that still find none (evicted) load again.
      claims?.then((claimed) => {
        this.#loads.delete(key);
        const generation = claimed.get(id);
        if (generation) this.#join(`${generation} ${id}`, pending);
      });
    }
  }

  /** Lets other readers join a load until it ends. */
  #join(key: string, pending: Promise<Value>): void {
    this.#loads.set(key, pending);
    const remove = () => this.#loads.get(key) === pending && this.#loads.delete(key);
    pending.then(remove, remove);
  }

  /** The generation that each fill may carry. A missing one is set while the value is loaded. */
  async #claimGenerations(ids: string[], cells: Cells): Promise<Map<string, string>> {
    const keys = [...new Set(ids.flatMap((id) => this.#generationKeys(id)))];
    const claiming = keys.map(async (key) => [key, await this.#claim(key, cells.get(key) ?? null)] as const);
    const claimed = new Map(await settleAll(claiming));
    return new Map(
      ids.flatMap((id) => {
        const generation = this.#generationOf(id, claimed);
        return generation === null ? [] : [[id, generation]];
      }),
    );
  }

  /** A generation; sets it if it is missing. @returns null if it cannot be used */
  async #claim(key: string, known: string | null): Promise<string | null> {
    if (known !== null) return known;
    const token = randomUUID();
    // If NX fails, another process owns the generation, perhaps for a write: skip the fill.
    const reply = await this.#options
      .client()
      .set(key, token, { nx: true, ex: this.#options.ttlSeconds * 2 })
      .catch(() => null);
    return reply === 'OK' ? token : null;
  }

  async #dropEntries(ids: string[]): Promise<void> {
    const { entryKey, generationKey, client } = this.#options;
    await settleAll(ids.flatMap((id) => [this.#renew(generationKey(id)), client().del(entryKey(id))]));
  }
}

const noCells: Cells = new Map();

/** Makes a `load` that loads each ID by itself. */
export const loadEach =
  <Value>(load: (id: string) => Promise<Value>) =>
  async (ids: string[]): Promise<Map<string, Value>> =>
    new Map(await settleAll(ids.map(async (id) => [id, await load(id)] as const)));
