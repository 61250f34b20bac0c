import type { Item } from '../../shared/db/items.ts';

const batchSize = 25;
const writers = 2;

/** Puts the items with the numbers from `from` to before `to` into the table. */
export async function fillTable(from: number, to: number, create: (index: number) => Item): Promise<void> {
  let next = from;
  const write = async () => {
    while (next < to) {
      const start = next;
      next = Math.min(to, start + batchSize);
      await putItems(Array.from({ length: next - start }, (_, offset) => create(start + offset)));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** An engine on this machine checks no signature, and the SDK takes longer to make one than the engine to write. */
const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.BatchWriteItem',
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

async function putItems(items: Item[]): Promise<void> {
  const { DYNAMODB_ENDPOINT = '', TABLE_NAME = '' } = process.env;
  const puts = items.map((item) => ({ PutRequest: { Item: marshal(item) } }));
  const body = JSON.stringify({ RequestItems: { [TABLE_NAME]: puts } });
  const response = await fetch(DYNAMODB_ENDPOINT, { method: 'POST', headers, body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the engine refused a batch: ${answer}`);
  const { UnprocessedItems = {} }: { UnprocessedItems?: object } = JSON.parse(answer);
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items out');
}

/** An item as DynamoDB takes it; objects are not among its values. */
const marshal = (item: Item): Record<string, object> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, marshalValue(value)]));

function marshalValue(value: unknown): object {
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(marshalValue) };
  if (typeof value === 'boolean') return { BOOL: value };
  return typeof value === 'number' ? { N: String(value) } : { S: String(value) };
}
