import { settleAll } from '#shared/async/settle-all.ts';
import { openAnchor } from '#shared/audit/anchor.ts';
import { listCountPartitions } from '#shared/audit/counts.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { auditEntries } from '#shared/audit/stored-entries.ts';
import { getItem, getItems, type Item, type Position, queryPage, queryPartition } from '#shared/db/items.ts';
import { chainEndKey } from './chain-end.ts';
import { chunkPartition, digestKey, digestPartition } from './digest.ts';
import type { StoredLog } from './log-source.ts';

/** Items of a month's entries in the order of their keys. @param first only keys from this one on */
export const readMonth = (month: string, first = ''): AsyncGenerator<Item> =>
  readItems(auditPartition(month), first);

/**
 * Items of a partition in the order of their keys, strongly consistent, page by page.
 *
 * @param first only keys from this one on
 */
export async function* readItems(pk: string, first = ''): AsyncGenerator<Item> {
  let start: Position | undefined;
  do {
    const page = await queryPage({
      KeyConditionExpression: first === '' ? 'pk = :pk' : 'pk = :pk AND sk >= :first',
      ExpressionAttributeValues: { ':pk': pk, ...(first !== '' && { ':first': first }) },
      ConsistentRead: true,
      ExclusiveStartKey: start,
    });
    yield* page.items;
    start = page.last;
  } while (start);
}

/** The log in the table. */
export const storedLog: StoredLog = {
  anchor: async () => (await openAnchor()).read(),
  end: () => getItem(chainEndKey),
  async *counts(day) {
    const partitions = listCountPartitions(day).map((pk) => readItems(pk));
    // Their first pages at once: most are empty.
    const firsts = await settleAll(partitions.map((each) => each.next()));
    for (const [index, { done, value }] of firsts.entries()) {
      if (done) continue;
      yield value;
      yield* partitions[index] ?? [];
    }
  },
  countsOf: getItems,
  entries: readMonth,
  entry: (id) => getItem(auditEntries.key({ id })),
  digests: (month) => queryPartition(digestPartition(month)),
  digest: (to) => getItem(digestKey(to)),
  chunks: (hash) => queryPartition(chunkPartition(hash)),
};
