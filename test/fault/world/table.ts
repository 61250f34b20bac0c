import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/db/items.ts';
import type { Key } from '../../support/keys.ts';

/** Direct access to the table, without service and proxies. */
export interface Table {
  get(key: Key): Promise<Item | undefined>;
  /** Items of a partition, of the table or of an index. */
  list(pk: string, index?: 'gsi1' | 'gsi2'): Promise<Item[]>;
  /** Items of a partition from a sort key on. */
  listFrom(pk: string, sk: string): Promise<Item[]>;
  scan(): Promise<Item[]>;
  put(item: Item): Promise<void>;
  close(): void;
}

export function openTable(endpoint: string, TableName: string): Table {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const database = DynamoDBDocument.from(client);

  async function all(next: (start?: Item) => Promise<{ Items?: Item[]; LastEvaluatedKey?: Item }>) {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const page = await next(start);
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  }

  return {
    get: async (key) => (await database.get({ TableName, Key: { ...key }, ConsistentRead: true })).Item,
    list: (pk, index) =>
      all((ExclusiveStartKey) =>
        database.query({
          TableName,
          IndexName: index,
          KeyConditionExpression: `${index ?? ''}pk = :pk`,
          ExpressionAttributeValues: { ':pk': pk },
          ExclusiveStartKey,
        }),
      ),
    listFrom: (pk, sk) =>
      all((ExclusiveStartKey) =>
        database.query({
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk >= :sk',
          ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
          ConsistentRead: true,
          ExclusiveStartKey,
        }),
      ),
    scan: () => all((ExclusiveStartKey) => database.scan({ TableName, ExclusiveStartKey })),
    async put(Item) {
      await database.put({ TableName, Item });
    },
    close: () => client.destroy(),
  };
}
