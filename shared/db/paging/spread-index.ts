import { randomInt } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { getItems, type IndexPartition, type Item, type Key, singleKey, updateItem } from '../items.ts';
import { withoutJoin } from '../joined-writes.ts';
import { type Attributes, changeItem } from '../writes.ts';

// Partitions of new entries in indexes by creation. `newest-page.ts` reads them. Why: docs/decisions/0015.
//
// An index begins with one partition, `USER`. A process that adds many entries writes the mark of the index. From then
// on, each new entry goes to one of `USER~1` to `USER~8`, and lists read all nine.

/** Partitions of a busy index, besides its first one. Each takes 1,000 write units a second. */
export const spreadCount = 8;
/** An index is busy after one process has added this many entries. */
export const busyAfter = 1000;

/** What this process knows about an index. */
interface IndexState {
  /** Whether the mark exists; undefined before it was read. */
  isSpread?: boolean;
  /** How many entries this process has added. */
  added: number;
  /** The request that writes the mark. */
  marking?: Promise<void>;
}

/** By the first partition of an index. */
const states = new Map<string, IndexState>();

function stateOf({ pk }: IndexPartition): IndexState {
  const state = states.get(pk) ?? { added: 0 };
  states.set(pk, state);
  return state;
}

/** Forgets the state of every index; for tests. */
export const forgetSpread = (): void => states.clear();

/** The partitions of a spread index, besides its first one. */
export const listPartitions = (pk: string, count = spreadCount): string[] =>
  Array.from({ length: count }, (_, index) => `${pk}~${index + 1}`);

export const pickPartition = (pk: string, count = spreadCount): string => `${pk}~${randomInt(count) + 1}`;

/**
 * The partition for a new entry. Marks the index as spread if this process has added many entries.
 *
 * @throws AppError `database.unavailable`
 */
export async function choosePartition(index: IndexPartition): Promise<string> {
  await learnSpread([index]);
  const state = stateOf(index);
  state.added += 1;
  // Before the first entry in another partition: lists read the others only if there is a mark.
  if (!state.isSpread && state.added >= busyAfter) await markSpread(index);
  return state.isSpread ? pickPartition(index.pk) : index.pk;
}

/** The partitions of a new row in its indexes, for `putRow`. @throws AppError `database.unavailable` */
export async function choosePartitions(indexes: readonly IndexPartition[]): Promise<Attributes> {
  const partitions = await settleAll(indexes.map(choosePartition));
  return Object.fromEntries(indexes.map(({ name }, at) => [`${name}pk`, partitions[at]]));
}

/** The mark is an item of its own. In its index it lies in the first partition, and sorts after every ULID. */
const markKey = (pk: string): Key => singleKey(`SPREAD#${pk}`);
export const markSortKey = '~';
const markAttribute = 'is_spread';

/** Whether an item is the mark. It is the first item of a list, newest first. */
export const isSpreadMark = (item: Item): boolean => item[markAttribute] === true;

/** Lets the mark pass a filter of entries. */
export const orMark = (expression: string): string => `${expression} OR attribute_exists(${markAttribute})`;

/** Reads the marks of indexes: one request, and once for each index in a process. */
export async function learnSpread(indexes: readonly IndexPartition[]): Promise<void> {
  const unknown = indexes.filter((index) => stateOf(index).isSpread === undefined);
  if (unknown.length === 0) return;
  const marks = new Set((await getItems(unknown.map(({ pk }) => markKey(pk)))).map(({ pk }) => pk));
  for (const index of unknown) stateOf(index).isSpread = marks.has(markKey(index.pk).pk);
}

/** Spreads an index for good. Idempotent; callers at the same time share one request. */
export function markSpread(index: IndexPartition): Promise<void> {
  const state = stateOf(index);
  state.marking ??= writeMark(index).finally(() => {
    delete state.marking;
  });
  return state.marking;
}

async function writeMark(index: IndexPartition): Promise<void> {
  const { name, pk } = index;
  const set = { [`${name}pk`]: pk, [`${name}sk`]: markSortKey, [markAttribute]: true };
  await withoutJoin(() => updateItem(changeItem(markKey(pk), { set }).Update));
  stateOf(index).isSpread = true;
}

export const writtenKeys: ListWrittenKeys = () => [markKey('*').pk];
