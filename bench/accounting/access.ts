import { cachedPrefixes } from '../../shared/stream/clear-caches.ts';
import type { Place } from './dynamodb-units.ts';

/** What one request asked of one partition, of the database or of the cache. */
export interface Access {
  place: Place | 'cache';
  /** Value of the partition key; a key of the cache. */
  key: string;
  readUnits: number;
  writeUnits: number;
  /** Whether the item changed, so that the table's stream has a record of it. */
  isChange?: boolean;
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

/** The listener on the table's stream deletes an entry and sets its generation. */
const commandsOfChange = 2;

/** Commands with which the stream's listener clears, afterwards, what caches hold of changed items. */
export function countStreamCommands({ accesses }: Usage): number {
  const changed = accesses.filter(
    ({ isChange, key }) => isChange && cachedPrefixes.some((prefix) => key.startsWith(prefix)),
  );
  return new Set(changed.map(({ key }) => key)).size * commandsOfChange;
}

export const sumOf = (accesses: readonly Access[], kind: 'readUnits' | 'writeUnits'): number =>
  accesses.reduce((sum, access) => sum + access[kind], 0);
