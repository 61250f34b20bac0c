import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeOutput, encodeInput } from '#shared/db/dynamodb/attributes.ts';

/** What the SDK sent last, and what it is answered. */
const wire = { sent: '', answer: {} as object };
const sdk = DynamoDBDocument.from(
  new DynamoDBClient({
    region: 'local',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: {
      handle: async ({ body }: { body: Uint8Array }) => {
        wire.sent = new TextDecoder().decode(body);
        const headers = { 'content-type': 'application/x-amz-json-1.0' };
        return { response: { statusCode: 200, headers, body: Buffer.from(JSON.stringify(wire.answer)) } };
      },
    },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
/** Names that inputs and outputs have too mean nothing inside of attributes; the SDK knows no `constructor`. */
const name = fc
  .oneof(fc.string(), fc.constantFrom('Key', 'Items', 'TransactItems', 'Responses'))
  .filter((text) => !['__proto__', 'constructor'].includes(text));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc
      .uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 })
      .map((texts) => new Set(texts)),
  ),
}));
const map = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
const TableName = 'table';

async function sentBySdk(send: () => Promise<unknown>): Promise<unknown> {
  await send();
  return JSON.parse(wire.sent);
}
const sentByUs = (input: object): unknown => JSON.parse(JSON.stringify(encodeInput(input)));

describe('what is sent is what the SDK sends', () => {
  const check = (property: fc.IAsyncProperty<[Record<string, unknown>]>) => fc.assert(property);

  test('for a key and for values of an expression', () =>
    check(
      fc.asyncProperty(map, async (fields) => {
        const ExpressionAttributeNames = { '#a': 'Key', Item: 'Items' };
        const input = { TableName, Key: fields, ExpressionAttributeValues: fields, ExpressionAttributeNames };
        expect(sentByUs(input)).toEqual(await sentBySdk(() => sdk.update(input)));
      }),
    ));

  test('for the start of a page', () =>
    check(
      fc.asyncProperty(map, async (fields) => {
        const input = { TableName, Limit: 3, ExclusiveStartKey: fields, IndexName: undefined };
        expect(sentByUs(input)).toEqual(await sentBySdk(() => sdk.query(input)));
      }),
    ));

  test('for keys of several tables', () =>
    check(
      fc.asyncProperty(map, async (fields) => {
        const Keys = [fields, { pk: 'a' }];
        const input = { RequestItems: { Keys: { Keys, ConsistentRead: true }, other: { Keys } } };
        expect(sentByUs(input)).toEqual(await sentBySdk(() => sdk.batchGet(input)));
      }),
    ));

  test('for the writes of a transaction', () =>
    check(
      fc.asyncProperty(map, async (fields) => {
        const input = {
          ClientRequestToken: 'token',
          TransactItems: [
            { Put: { TableName, Item: fields } },
            { Delete: { TableName, Key: fields, ExpressionAttributeValues: fields } },
            { Update: { TableName, Key: fields, UpdateExpression: 'REMOVE a' } },
            { ConditionCheck: { TableName, Key: fields, ConditionExpression: 'a = b' } },
          ],
        };
        expect(sentByUs(input)).toEqual(await sentBySdk(() => sdk.transactWrite(input)));
      }),
    ));
});

describe('what is read is what the SDK reads', () => {
  async function readBySdk(answer: object, read: () => Promise<object>): Promise<unknown> {
    wire.answer = answer;
    const { $metadata: _, ...output } = (await read()) as { $metadata?: unknown };
    wire.answer = {};
    return output;
  }

  /** What is read replaces what has arrived. */
  const readByUs = (answer: object): unknown => decodeOutput(JSON.parse(JSON.stringify(answer)));

  test('of an item, of a page, and of several tables', () =>
    fc.assert(
      fc.asyncProperty(map, async (fields) => {
        const { Item } = sentByUs({ Item: fields }) as { Item: object };
        const one = { Item };
        const page = { Items: [Item, Item], Count: 2, LastEvaluatedKey: Item };
        const batch = { Responses: { Key: [Item], b: [] }, UnprocessedKeys: { c: { Keys: [Item] } } };

        expect(readByUs(one)).toEqual(await readBySdk(one, () => sdk.get({ TableName, Key: {} })));
        expect(readByUs(page)).toEqual(await readBySdk(page, () => sdk.query({ TableName })));
        expect(readByUs(batch)).toEqual(
          await readBySdk(batch, () => sdk.batchGet({ RequestItems: { a: { Keys: [{}] } } })),
        );
      }),
    ));
});

test.each([
  [new Date(0)],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [2 ** 53 + 2],
  [new Set()],
  [Symbol('a')],
])('refuses %p, for which the database has no type', (unknown) => {
  expect(() => encodeInput({ Item: { a: unknown } })).toThrow();
});
