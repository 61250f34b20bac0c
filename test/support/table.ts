import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { RunningServer } from './local-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it compares.
type Item = Record<string, any>;

/** The settings of a local server's functions. */
export const readStack = ({ dataDir }: RunningServer): Record<string, string> =>
  JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')).environment;

/** Uses the table of a local server without the service. */
export async function useTable<Result>(
  server: RunningServer,
  use: (table: DynamoDBDocument, TableName: string) => Promise<Result>,
): Promise<Result> {
  const { DYNAMODB_ENDPOINT, TABLE_NAME = '' } = readStack(server);
  const client = new DynamoDBClient({
    endpoint: DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    return await use(DynamoDBDocument.from(client), TABLE_NAME);
  } finally {
    client.destroy();
  }
}

/** All items in the table of a local server. */
export const scanItems = (server: RunningServer): Promise<Item[]> =>
  useTable(server, async (client, TableName) =>
    (await Array.fromAsync(paginateScan({ client }, { TableName }))).flatMap(({ Items = [] }) => Items),
  );

/** The whole table of a local server as JSON, to search it for values that must not be stored. */
export const scanTable = async (server: RunningServer): Promise<string> =>
  JSON.stringify(await scanItems(server));

/** Sets an attribute of an item that exists. */
export const setAttribute = (
  server: RunningServer,
  { pk, sk }: Item,
  name: string,
  value: unknown,
): Promise<unknown> =>
  useTable(server, (table, TableName) =>
    table.update({
      ...{ TableName, Key: { pk, sk } },
      UpdateExpression: 'SET #name = :value',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

/** The items of a partition, in the table or in an index. */
export const readPartition = (server: RunningServer, partition: string, index?: 'gsi1'): Promise<Item[]> =>
  useTable(server, async (table, TableName) => {
    const { Items = [] } = await table.query({
      ...{ TableName, IndexName: index, ConsistentRead: !index },
      KeyConditionExpression: `${index ?? ''}pk = :pk`,
      ExpressionAttributeValues: { ':pk': partition },
    });
    return Items;
  });
