import type { Place } from './dynamodb-units.ts';

/** What one request asked of one partition, of the database or of the cache. */
export interface Access {
  place: Place | 'cache';
  /** Value of the partition key; a key of the cache. */
  key: string;
  readUnits: number;
  writeUnits: number;
  /** Writes of a transaction on the item: two at a time conflict. Its own name follows the partition's. */
  transactionOn?: string;
}

/** What a request asked of both stores, and the time that it took besides. */
export interface Usage {
  accesses: Access[];
  /** Commands of the cache; a script counts as one. */
  commands: number;
  /** Time of the handler in which no store was asked, in milliseconds. */
  computeMs: number;
}

export const sumOf = (accesses: readonly Access[], kind: 'readUnits' | 'writeUnits'): number =>
  accesses.reduce((sum, access) => sum + access[kind], 0);
