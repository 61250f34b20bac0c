import { findEntities } from '../../functions/discover/entity-keys.ts';
// They declare the records of the platform that caches mirror.
import '../../shared/auth/api-token.ts';
import '../../shared/dict/records.ts';
import '../../shared/settings/store.ts';
import type { Place } from './dynamodb-units.ts';

/** The use of one partition (database) or key (cache) by one request. */
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

/** The use of both stores by a request, and its own time. */
export interface Usage {
  accesses: Access[];
  /** Commands of the cache; a script counts as one. */
  commands: number;
  /** Time of the handler without waiting for a store, in milliseconds. */
  computeMs: number;
}

/** The listener on the table's stream deletes an entry and sets its generation. */
const commandsOfChange = 2;

/** Commands of the stream listener that invalidates cache entries of changed items. */
export function countStreamCommands({ accesses }: Usage): number {
  const prefixes = findEntities('', []).flatMap(({ entity, beginnings }) =>
    entity.mirror ? (beginnings.get('key')?.text ?? []) : [],
  );
  const changed = accesses.filter(
    ({ isChange, key }) => isChange && prefixes.some((prefix) => key.startsWith(prefix)),
  );
  return new Set(changed.map(({ key }) => key)).size * commandsOfChange;
}

export const sumOf = (accesses: readonly Access[], kind: 'readUnits' | 'writeUnits'): number =>
  accesses.reduce((sum, access) => sum + access[kind], 0);
