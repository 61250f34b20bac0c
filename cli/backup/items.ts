import {
  type AttributeValue,
  BatchWriteItemCommand,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { settleAll } from '#shared/async/settle-all.ts';
import { createDocumentClient } from '#shared/db/sdk.ts';

/** An item as the API of DynamoDB has it, so that numbers and sets stay as they are. */
export type RawItem = Record<string, AttributeValue>;

/** Reading and writing many items takes longer than a request of the service may. */
const timeoutMs = 60_000;

/** A client of a local engine, which checks no credentials. */
export const connectEngine = (endpoint: string): DynamoDBDocument =>
  createDocumentClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    timeoutMs,
  });

/** All items of a table, in pages of at most 1 MiB. */
export async function* scanTable(client: DynamoDBDocument, TableName: string): AsyncGenerator<RawItem[]> {
  let start: RawItem | undefined;
  do {
    const input = { TableName, ConsistentRead: true, ExclusiveStartKey: start };
    const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand(input));
    if (Items.length > 0) yield Items;
    start = LastEvaluatedKey;
  } while (start);
}

/** One item a line, as JSON; bytes in base64. */
export const renderItems = (items: readonly RawItem[]): string =>
  items.map((item) => `${JSON.stringify(item, encode)}\n`).join('');

function encode(this: Record<string, unknown>, name: string, value: unknown): unknown {
  // A Buffer has already become an object in `value`.
  const raw = this[name];
  return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
}

/** Reads the lines of {@link renderItems}. @throws SyntaxError */
export const parseItems = (text: string): RawItem[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line, decode));

/** A text under `B` is bytes: an attribute with this name holds an object. */
function decode(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  if (name === 'BS' && Array.isArray(value)) return value.map((each) => Buffer.from(each, 'base64'));
  return value;
}

/** DynamoDB's limit of one call. */
const batchSize = 25;
const together = 4;
const mostTries = 10;

/** Writes items to a table without conditions. @throws Error if the engine leaves some unwritten */
export async function putItems(
  client: DynamoDBDocument,
  table: string,
  items: readonly RawItem[],
): Promise<void> {
  const waiting: WriteRequest[][] = [];
  for (let at = 0; at < items.length; at += batchSize)
    waiting.push(items.slice(at, at + batchSize).map((Item) => ({ PutRequest: { Item } })));
  const work = async () => {
    for (let batch = waiting.pop(); batch; batch = waiting.pop()) await putBatch(client, table, batch);
  };
  await settleAll(Array.from({ length: together }, work));
}

async function putBatch(client: DynamoDBDocument, table: string, batch: WriteRequest[]): Promise<void> {
  let rest = batch;
  for (let tries = 0; rest.length > 0; tries += 1) {
    if (tries === mostTries) throw new Error(`the database left ${rest.length} items unwritten`);
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: rest } }),
    );
    rest = UnprocessedItems?.[table] ?? [];
  }
}
