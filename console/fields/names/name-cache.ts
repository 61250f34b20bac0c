import { shallowReactive } from 'vue';
import { settleAll } from '#shared/async/settle-all.ts';

const freshMs = 60_000;

/** Names that pages show for values and IDs, kept for one minute. */
export interface NameCache<Names> {
  /**
   * What is known of a key; undefined until it is read. Use it in a template or a `computed`: it shows the names when
   * they arrive. Keys that a page asks for at once are read together.
   */
  get(key: string): Names | undefined;
  /** Waits until keys are read, for work that needs all names, such as an export. @throws what `read` throws */
  load(keys: readonly string[]): Promise<void>;
  /** Reads names again when they are asked for. Call it after a change. */
  forget(): void;
}

/**
 * @param read the names of keys; a failure is not remembered
 * @param maxKeys of one read
 */
export function createNameCache<Names>(
  read: (keys: readonly string[]) => Promise<Iterable<readonly [key: string, names: Names]>>,
  maxKeys: number,
): NameCache<Names> {
  const known = shallowReactive(new Map<string, Names>());
  const reads = new Map<string, { at: number; done: Promise<void> }>();
  let batch: { keys: string[]; done: Promise<void> } | undefined;

  async function readBatch(keys: string[]): Promise<void> {
    // All that is asked for in this tick joins it.
    await Promise.resolve();
    if (batch?.keys === keys) batch = undefined;
    try {
      for (const [key, names] of await read(keys)) known.set(key, names);
    } catch (error) {
      // The values are shown instead, and the next page asks again.
      for (const key of keys) reads.delete(key);
      throw error;
    }
  }

  function ask(key: string): Promise<void> {
    const last = reads.get(key);
    if (last && Date.now() - last.at <= freshMs) return last.done;
    if (!batch || batch.keys.length >= maxKeys) {
      const keys: string[] = [];
      batch = { keys, done: readBatch(keys) };
      batch.done.catch(() => {});
    }
    batch.keys.push(key);
    reads.set(key, { at: Date.now(), done: batch.done });
    return batch.done;
  }

  return {
    get(key) {
      void ask(key);
      return known.get(key);
    },
    load: async (keys) => void (await settleAll(keys.map(ask))),
    forget: () => reads.clear(),
  };
}
