import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createDynamoDb, type DynamoDb } from '#shared/db/dynamodb/dynamodb.ts';

interface Answer {
  status?: number;
  body: string;
}
/** What the database answers in turn, `lost` for nothing; the last one again and again. */
let answers: (Answer | 'lost')[] = [];
const asked: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];

const server = createServer(async (request, response) => {
  const { url: path, headers } = request;
  asked.push({ path, headers, body: await text(request) });
  const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
  if (answer === undefined || answer === 'lost') return void request.socket.destroy();
  response.writeHead(answer.status ?? 200).end(answer.body);
});

let db: DynamoDb;
let endpoint = '';
beforeEach(async () => {
  // Pauses between tries are drawn by it.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  asked.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  db = createDynamoDb({ endpoint, region: 'local', credentials, timeoutMs: 5000 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  db.close();
  await new Promise((resolve) => server.close(resolve));
});

const read = () => db.send('GetItem', { TableName: 'table', Key: { pk: '值', sk: 'b' } });
const refuse = (status: number, fields: object): Answer => ({ status, body: JSON.stringify(fields) });
const failure = refuse(500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' });
const throttle = refuse(400, {
  __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
});
const item: Answer = { body: '{"Item":{"pk":{"S":"值"},"n":{"N":"7"}}}' };

test('asks for an operation in JSON, and reads what comes', async () => {
  answers = [item];

  expect(await read()).toEqual({ Item: { pk: '值', n: 7 } });

  expect(asked).toMatchObject([
    {
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.GetItem',
        authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=local\//),
      },
      body: '{"TableName":"table","Key":{"pk":{"S":"值"},"sk":{"S":"b"}}}',
    },
  ]);
});

test.each([
  ['failed', failure],
  ['is unavailable', refuse(503, { __type: 'ServiceUnavailable' })],
  ['was asked too much', throttle],
  ['is busy with the same transaction', refuse(400, { __type: 'x#TransactionInProgressException' })],
  ['was cut off', 'lost' as const],
  ['sent half of an answer', { body: '{"Item":{' }],
  ['stands behind a proxy that answers for it', { status: 502, body: '<html>' }],
])('asks a database again that %s', async (_, answer) => {
  answers = [answer, answer, item];

  expect(await read()).toEqual({ Item: { pk: '值', n: 7 } });

  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
});

test.each([
  ['failed', failure, { name: 'InternalServerError', status: 500 }],
  ['was asked too much', throttle, { name: 'ProvisionedThroughputExceededException', status: 400 }],
  ['was cut off', 'lost' as const, { name: 'UnreachableError', cause: { name: 'UnansweredError' } }],
  ['answered no JSON', { body: '<html>' }, { name: 'UnreachableError' }],
  ['answered no object', { body: '7' }, { name: 'UnreachableError' }],
  ['answered an error of no type', refuse(400, {}), { name: 'UnreachableError' }],
])('gives a database up that %s three times', async (_, answer, error) => {
  answers = [answer];

  await expect(read()).rejects.toMatchObject(error);

  expect(asked).toHaveLength(3);
});

test.each([
  [
    'a request that is wrong',
    { __type: 'com.amazon.coral.validate#ValidationException', message: 'why' },
    { name: 'ValidationException', message: 'why', cancellationCodes: [] },
  ],
  [
    'a condition that does not hold',
    { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', Message: 'why' },
    { name: 'ConditionalCheckFailedException', message: 'why' },
  ],
  [
    'a transaction that was cancelled',
    {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'why' }, {}],
    },
    { name: 'TransactionCanceledException', cancellationCodes: ['None', 'ConditionalCheckFailed', 'None'] },
  ],
])('tells of %s at once', async (_, fields, error) => {
  answers = [refuse(400, fields)];

  await expect(read()).rejects.toMatchObject({ ...error, status: 400 });

  expect(asked).toHaveLength(1);
});

test('sends nothing of what the database has no type for', async () => {
  await expect(db.send('GetItem', { TableName: 'table', Key: { pk: new Date(0) } })).rejects.toThrow();

  expect(asked).toHaveLength(0);
});

test.each([
  ['an ID of a key', { accessKeyId: 'local\r\nx: y', secretAccessKey: 'local' }],
  ['a token', { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'secret\n' }],
])('sends no header that %s breaks, and does not tell what is in it', async (_, credentials) => {
  const other = createDynamoDb({ endpoint, region: 'local', credentials, timeoutMs: 5000 });

  const error = await other.send('GetItem', { TableName: 'table', Key: {} }).catch((cause) => cause);

  expect(error.message).toMatch(/^the header [a-z-]+ would hold more than printable ASCII$/);
  expect(asked).toHaveLength(0);
});
