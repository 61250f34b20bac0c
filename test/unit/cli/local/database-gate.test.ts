import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { type DatabaseGate, openGate } from '#cli/local/dynamodb/gate.ts';
import { type DynamoDbEngine, startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { createTempDir } from '../../../support/local-server.ts';

let engine: DynamoDbEngine;
let gate: DatabaseGate;

beforeAll(async () => {
  const dataDir = createTempDir();
  const name = findDynoxide() ? 'dynoxide' : 'dynamodb-local';
  engine = await startDynamoDbEngine({ dataDir, environment: process.env, engine: name });
  gate = await openGate(engine.endpoint);
}, 60_000);

afterAll(async () => {
  await gate?.stop();
  await engine?.stop();
});

const target = 'DynamoDB_20120810.ListTables';
const signed = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': target,
  'x-amz-date': '20200101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20200101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

/** Sends a request as any program or page may. Node's `fetch` sends no `Origin`. */
function ask(url: string, headers: Record<string, string> = {}, method = 'POST') {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const outgoing = request(url, { method, headers: { ...signed, ...headers } }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
      outgoing.on('error', reject).end(method === 'POST' ? '{}' : undefined);
    },
  );
}

const keyOf = () => new URL(gate.endpoint).pathname.slice(1);
const withPath = (path: string) => new URL(path, gate.endpoint).href;

describe('the gate before the local database', () => {
  test('passes on the requests of the SDK, with large bodies, many at once', async () => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint: gate.endpoint, region: 'local', credentials });
    await client.send(
      new CreateTableCommand({
        TableName: 'kept',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );

    const answers = await Promise.all(
      Array.from({ length: 30 }, () => client.send(new ListTablesCommand({}))),
    );
    client.destroy();

    expect(answers.map(({ TableNames }) => TableNames)).toEqual(Array(30).fill(['kept']));
  });

  test.each<[string, () => string]>([
    ['no key', () => withPath('/')],
    ['another key', () => withPath(`/${'A'.repeat(43)}`)],
    ['a part of the key', () => withPath(`/${keyOf().slice(0, -1)}`)],
    ['more than the key', () => withPath(`/${keyOf()}A`)],
    ['the key in a query', () => withPath(`/?${keyOf()}`)],
    ['a path behind the key', () => `${gate.endpoint}/x`],
    ['two slashes', () => gate.endpoint.replace(/(?<=\d)\//, '//')],
  ])('refuses %s', async (_title, url) => {
    const { status, text } = await ask(url());

    expect([status, JSON.parse(text).__type]).toEqual([403, expect.stringContaining('AccessDenied')]);
    expect(text).not.toContain(keyOf());
  });

  test.each(['http://evil.example', 'null', 'http://localhost:3000', ''])(
    'refuses pages, also with the key: Origin "%s"',
    async (origin) => {
      for (const method of ['POST', 'OPTIONS', 'GET']) {
        const { status, headers } = await ask(gate.endpoint, { origin }, method);

        expect(status).toBe(403);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );

  test('has another key at each start', async () => {
    const other = await openGate(engine.endpoint);
    await other.stop();

    expect(new URL(other.endpoint).pathname).not.toBe(new URL(gate.endpoint).pathname);
    expect(keyOf()).toMatch(/^[\w-]{43}$/);
  });

  test('cuts the connection if the engine does, so that clients try again', async () => {
    const broken = createServer((_request, response) => response.destroy());
    await once(broken.listen(0, '127.0.0.1'), 'listening');
    const address = broken.address();
    const before = await openGate(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);

    await expect(ask(before.endpoint)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await before.stop();
    broken.close();
  });
});

const hasHiddenAddresses = process.platform === 'linux';

(hasHiddenAddresses ? test : test.skip)(
  'the engine listens on an address that no page can guess',
  async () => {
    const { hostname, port } = new URL(engine.endpoint);

    expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(hostname).not.toBe('127.0.0.1');
    if (engine.name === 'dynoxide')
      await expect(ask(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  },
);

test('DynamoDB Local, which listens everywhere, lets no page read', async () => {
  if (engine.name !== 'dynamodb-local' && !findDynoxide()) return;
  const dataDir = createTempDir();
  const options = { dataDir, environment: process.env, engine: 'dynamodb-local' as const };
  const started = await startDynamoDbEngine(options).catch(() => undefined);
  if (!started) return;

  const preflight = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
  const answers = [
    await ask(started.endpoint, preflight, 'OPTIONS'),
    await ask(started.endpoint, { origin: 'http://evil.example' }),
  ];
  await started.stop();

  expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([
    undefined,
    undefined,
  ]);
}, 60_000);

test('the cache of npm start answers nothing without its token', async () => {
  const cache = await startUpstashEndpoint({ token: 'a token' });
  const headers = { origin: 'http://evil.example', 'content-type': 'text/plain' };

  const answers = await Promise.all([
    ask(cache.url, headers),
    ask(cache.url, { ...headers, authorization: 'Bearer wrong' }),
    ask(cache.url, headers, 'OPTIONS'),
  ]);
  await cache.stop();

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 405]);
  expect(answers.flatMap((answer) => Object.keys(answer.headers))).not.toContain(
    'access-control-allow-origin',
  );
});
