import { randomInt } from 'node:crypto';
import { getItems, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';

/** The counter is spread over so many items, so that many writers at a time do not wait for one. */
const shards = Array.from({ length: 8 }, (_, index) => String(index));

/** The write that counts an article in or out; it belongs in the transaction that adds or deletes it. */
export function countArticle(by: 1 | -1): Write {
  return {
    Update: {
      // Any shard does for either: one of them may fall below 0, their sum does not.
      Key: { ...keys.counter('ARTICLES', shards[randomInt(shards.length)]) },
      UpdateExpression: 'ADD #total :by',
      ExpressionAttributeNames: { '#total': 'total' },
      ExpressionAttributeValues: { ':by': by },
    },
  };
}

/** How many articles there are, whatever their status. */
export async function countArticles(): Promise<number> {
  const items = await getItems(shards.map((shard) => keys.counter('ARTICLES', shard)));
  return items.reduce((sum, { total }) => sum + Number(total), 0);
}
