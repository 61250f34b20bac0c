import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { toDatabaseError } from '#shared/db/errors.ts';
import { createDocumentClient } from '#shared/db/sdk.ts';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}
/** The answers of the database in order, `lost` for a lost connection; the last one is repeated. */
let answers: (Answer | 'lost')[] = [];
const asked: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];

const server = createServer(async (request, response) => {
  const { url: path, headers } = request;
  asked.push({ path, headers, body: await text(request) });
  const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
  if (answer === undefined || answer === 'lost') return void request.socket.destroy();
  response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
});

let db: DynamoDBDocument;
let endpoint = '';
beforeEach(async () => {
  // The pauses between two tries depend on it.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  asked.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  db = createDocumentClient({ endpoint, region: 'local', credentials });
});
afterEach(async () => {
  jest.restoreAllMocks();
  db.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const read = () => db.get({ TableName: 'table', Key: { pk: '值', sk: 'b' } });
const refuse = (status: number, fields: object): Answer => ({ status, body: JSON.stringify(fields) });
const failure = refuse(500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' });
const throttle = refuse(400, {
  __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
});
const item: Answer = { body: '{"Item":{"pk":{"S":"值"},"n":{"N":"7"}}}' };

test('sends plain values as attributes, and reads attributes as plain values', async () => {
  answers = [item];

  expect(await read()).toMatchObject({ Item: { pk: '值', n: 7 } });

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

const passing: [string, Answer | 'lost'][] = [
  ['failed', failure],
  ['is unavailable', refuse(503, { __type: 'ServiceUnavailable' })],
  ['was asked too much', throttle],
  ['is busy with the same transaction', refuse(400, { __type: 'x#TransactionInProgressException' })],
  ['was cut off', 'lost'],
  ['is behind a proxy that answers for it', { status: 502, body: '<html>' }],
];

test.each(passing)('asks again if the database %s', async (_, answer) => {
  answers = [answer, answer, item];

  expect(await read()).toMatchObject({ Item: { pk: '值', n: 7 } });

  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
});

test.each(passing)('gives up after three tries if the database %s', async (_, answer) => {
  answers = [answer];

  const error = await read().catch(toDatabaseError);

  expect(error).toMatchObject({ code: 'database.unavailable' });
  expect(asked).toHaveLength(3);
});

test.each([
  ['text that is not JSON', { body: '<html>' }],
  ['half of an answer', { body: '{"Item":{' }],
  ['an error without a type', refuse(500, {})],
])('is unavailable if what answers sends %s', async (_, answer) => {
  answers = [answer];

  expect(await read().catch(toDatabaseError)).toMatchObject({ code: 'database.unavailable' });
});

test.each([
  ['a request that is wrong', { __type: 'com.amazon.coral.validate#ValidationException', message: 'why' }],
  [
    'a condition that does not hold',
    { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', message: 'why' },
  ],
  [
    'a transaction that was cancelled',
    {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      message: 'why',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'why' }],
    },
  ],
])('reports %s at once', async (_, fields) => {
  answers = [refuse(400, fields)];

  await expect(read()).rejects.toMatchObject({ name: fields.__type.split('#')[1], message: 'why' });

  expect(asked).toHaveLength(1);
});

test('refuses a value that the database has no type for', async () => {
  await expect(db.get({ TableName: 'table', Key: { pk: new Date(0) } })).rejects.toThrow();

  expect(asked).toHaveLength(0);
});

test('corrects a wrong clock: it signs again with the time of the server', async () => {
  const hourLater = new Date(Date.now() + 3_600_000);
  const skewed = refuse(400, { __type: 'com.amazon.coral.service#RequestExpired', message: 'expired' });
  answers = [{ ...skewed, headers: { date: hourLater.toUTCString() } }, item];

  expect(await read()).toMatchObject({ Item: { pk: '值', n: 7 } });

  const [first = '', second = ''] = asked.map(({ headers }) => String(headers['x-amz-date']));
  const toMs = (date: string) =>
    Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  expect(toMs(second) - toMs(first)).toBeGreaterThan(3_500_000);
});
