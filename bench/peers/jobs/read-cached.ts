import { Redis } from '@upstash/redis';

const redis = Redis.fromEnv();

/** An entry of a versioned cache, as it is stored. */
interface Entry {
  generation: string;
  value: unknown;
}

type Cell = Entry | string | null;

const counterKey = 'service:throttle:peers';

/** Redis keys of an entry and of its generations. */
export type EntryKeys = [entry: string, ...generations: string[]];

/**
 * Reads entries in one command.
 *
 * @throws Error when one is not there, or is older than its generation
 */
export async function readCached(entries: EntryKeys[]): Promise<unknown[]> {
  return readCells(entries, await redis.mget<Cell[]>(...entries.flat()));
}

/**
 * The same, and counts the request for a throttle per minute in the same pipeline.
 *
 * @returns the values, and how many requests the minute has seen
 */
export async function readCounted(entries: EntryKeys[]): Promise<{ found: unknown[]; used: number }> {
  const [cells, used] = await redis
    .pipeline()
    .mget<Cell[]>(...entries.flat())
    .incr(counterKey)
    .expire(counterKey, 60, 'NX')
    .pttl(counterKey)
    .exec<[Cell[], number, number, number]>();
  return { found: readCells(entries, cells), used };
}

function readCells(entries: EntryKeys[], cells: Cell[]): unknown[] {
  let at = 0;
  return entries.map((keys) => {
    const [entry, ...generations] = cells.slice(at, at + keys.length);
    at += keys.length;
    if (entry === null || typeof entry !== 'object' || entry.generation !== generations.join(' '))
      throw new Error('a miss');
    return entry.value;
  });
}
