import type { Item, Key } from '#shared/db/items.ts';

/** The stored log, to verify it. */
export interface StoredLog {
  /** Items of a month's entries, in the order of their keys. @param first only keys from this one on */
  entries(month: string, first?: string): AsyncIterable<Item>;
  entry(id: string): Promise<Item | undefined>;
  /** Digests of a month, in the order of their ends. */
  digests(month: string): Promise<Item[]>;
  /** The digest that ends at a time. */
  digest(to: string): Promise<Item | undefined>;
  /** Chunks of the digest with a hash, in their order. */
  chunks(hash: string): Promise<Item[]>;
  /** The item of the end of the chain. */
  end(): Promise<Item | undefined>;
  /** The end that is kept outside of the table. */
  anchor(): Promise<string | undefined>;
  /** Counted events of a day. */
  counts(day: string): AsyncIterable<Item>;
  /** Counts by key, in any order. */
  countsOf(keys: Key[]): Promise<Item[]>;
}

/** Items of an iterable, one at a time. */
export class ItemStream {
  readonly #iterator: AsyncIterator<Item>;
  #next: Promise<IteratorResult<Item>> | undefined;

  constructor(items: AsyncIterable<Item>) {
    this.#iterator = items[Symbol.asyncIterator]();
  }

  /** The next item; undefined at the end. */
  async peek(): Promise<Item | undefined> {
    this.#next ??= this.#iterator.next();
    const { done, value } = await this.#next;
    return done ? undefined : value;
  }

  pass(): void {
    this.#next = undefined;
  }
}
