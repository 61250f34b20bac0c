import { expect, jest } from '@jest/globals';
import { encodeTime } from 'ulid';
import type { Item, Query } from '#shared/db/items.ts';

/** An audit log of any size, in the place of the database. Import it before the sources. */
export const virtualLog = {
  /** Number of entries, spread over its months. */
  size: 0,
  /** Items that queries have evaluated. */
  evaluated: 0,
  months: 13,
  now: Date.now(),
};

/** The entry with a number; 0 is the newest. */
function createItem(index: number): Item {
  const { size, months, now } = virtualLog;
  const time = now - Math.floor((index / size) * (months - 1) * 30 * 86_400_000);
  const id = `${encodeTime(time, 10)}${String(size - index).padStart(16, '0')}`;
  return {
    ...{ pk: `AUDIT#${new Date(time).toISOString().slice(0, 7)}`, sk: id, id },
    ...{ at: new Date(time).toISOString(), actor: { kind: 'admin', id: 'A', account: 'root' } },
    ...{ channel: 'api', action: 'article/edit', target: 'article:1', outcome: 'ok', code: 'ok' },
    ...{ fields: '{}', request_id: 'r', address: null, mac: 'x', ttl: 1 },
  };
}

/** A page of the table or of an index, as DynamoDB evaluates it. The entries are made when they are read. */
function query({
  KeyConditionExpression,
  ExpressionAttributeValues = {},
  ScanIndexForward,
  Limit = Number.POSITIVE_INFINITY,
  ExclusiveStartKey,
}: Query) {
  expect([KeyConditionExpression, ScanIndexForward]).toEqual([expect.stringMatching(/sk BETWEEN/), false]);
  const { ':pk': pk, ':first': first, ':last': last } = ExpressionAttributeValues;
  const isMonth = String(pk).startsWith('AUDIT#');
  const items: Item[] = [];
  for (let index = findFirst(String(ExclusiveStartKey?.sk ?? last)); index < virtualLog.size; index += 1) {
    const item = createItem(index);
    if (String(item.sk) < String(first) || (isMonth && String(item.pk) < String(pk))) break;
    if (item.sk === ExclusiveStartKey?.sk || (isMonth && item.pk !== pk)) continue;
    items.push(item);
    if (items.length === Limit) break;
  }
  virtualLog.evaluated += items.length;
  const end = items.length === Limit ? { sk: items.at(-1)?.sk } : undefined;
  return { Items: items, LastEvaluatedKey: end };
}

/** The number of the newest entry that is not after a sort key. */
function findFirst(last: string): number {
  let [low, high] = [0, virtualLog.size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (String(createItem(middle).sk) <= last) high = middle;
    else low = middle + 1;
  }
  return low;
}

jest.mock('#shared/db/client.ts', () => ({
  database: async () => ({ query: async (input: Query) => query(input) }),
}));
