import { Redis } from '@upstash/redis';

const redis = Redis.fromEnv();

/** An entry of a versioned cache, as it is stored. */
interface Entry {
  generation: string;
  value: unknown;
}

/** Redis keys of an entry and of its generation. */
export type EntryKeys = [entry: string, generation: string];

/**
 * Reads entries in one command.
 *
 * @throws Error when one is not there, or is older than its generation
 */
export async function readCached(entries: EntryKeys[]): Promise<unknown[]> {
  const cells = await redis.mget<(Entry | string | null)[]>(...entries.flat());
  return entries.map((_keys, index) => {
    const [entry, generation] = [cells[index * 2], cells[index * 2 + 1]];
    if (entry === null || typeof entry !== 'object' || entry.generation !== generation)
      throw new Error('a miss');
    return entry.value;
  });
}
