import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findStack } from '#cli/local/data-directory.ts';
import { findFreePort } from '#cli/local/free-port.ts';
import { createTempDir, projectRoot, runToEnd } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';
import { useSharedServer } from '../support/use-server.ts';

// Commands and the start with credentials that a store refuses: one line, no stack.

const { server } = useSharedServer();
let stack: NodeJS.ProcessEnv;
let database: Server;
let databaseUrl: string;
beforeAll(async () => {
  stack = findStack(server.dataDir) ?? {};
  const body = JSON.stringify({
    __type: 'com.amazon.coral.service#UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
  });
  database = createServer((request, response) => {
    request.resume();
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  const port = await findFreePort();
  await once(database.listen(port, '127.0.0.1'), 'listening');
  databaseUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  database.closeAllConnections();
  database.close();
});

test.each([['migrate'], ['seed'], ['config:set', 'storage.default=local'], ['install']])(
  'a token that the database refuses ends %s in one line',
  async (...args) => {
    const environment = { ...stack, DYNAMODB_ENDPOINT: databaseUrl };

    const { code, complaint } = await runService(projectRoot, environment, ...args);

    expect(code).toBe(1);
    expect(complaint).toMatch(/^.*(UnrecognizedClientException|security token).*$/);
  },
);

test.each([
  ['dict:clear', 1, /^the cache answered 401: check UPSTASH_REDIS_REST_TOKEN$/],
  ['seed', 0, /^cache\.invalidate_failed: the cache answered 401: check UPSTASH_REDIS_REST_TOKEN$/],
])('a token that the cache refuses is named by %s in one line', async (name, expected, message) => {
  const environment = { ...stack, UPSTASH_REDIS_REST_TOKEN: 'bad' };

  const { code, complaint } = await runService(projectRoot, environment, name);

  expect(code).toBe(expected);
  expect(complaint).toMatch(message);
});

test('the local server does not start with a token that its cache refuses', async () => {
  const { UPSTASH_REDIS_REST_URL } = stack;
  const settings = { PORT: '0', DATA_DIR: createTempDir(), UPSTASH_REDIS_REST_TOKEN: 'bad' };

  const { code, printed } = await runToEnd({ ...settings, UPSTASH_REDIS_REST_URL });

  expect(code).toBe(1);
  expect(printed.trim()).toMatch(
    /^UPSTASH_REDIS_REST_URL cannot be used: .*: check UPSTASH_REDIS_REST_TOKEN$/,
  );
});
