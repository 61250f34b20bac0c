import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleOurs } from '../../bench/bundles.ts';
import { createInvocation } from '../../bench/event.ts';
import { inspect } from '../../bench/inspect-load.ts';
import { projectRoot } from '../support/local-server.ts';

const servers: Server[] = [];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A store that answers every request with `answer(body)`. */
async function serve(answer: (body: string, headers: IncomingHttpHeaders) => unknown): Promise<string> {
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify(answer(await text(request), request.headers)));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a bundled function signs database requests with the platform's credentials", async () => {
  const asked: IncomingHttpHeaders[] = [];
  const cache = await serve((body) => JSON.parse(body).map(() => ({ result: null })));
  const database = await serve((_body, headers) => {
    asked.push(headers);
    return { Items: [], Responses: {}, UnprocessedKeys: {} };
  });
  const functionName = 'system-api-config-dict';
  const bundle = await bundleOurs(projectRoot, functionName, join(folder, functionName));
  const invocationFile = join(folder, 'invocation.json');
  writeFileSync(
    invocationFile,
    JSON.stringify(createInvocation('/api/system/config/dict', { type: 'colour' })),
  );

  const { statusCode } = await inspect(bundle, invocationFile, {
    APP_KEY: 'a key of at least thirty-two characters',
    TABLE_NAME: 'table',
    PUBLIC_URL: 'http://localhost',
    UPSTASH_REDIS_REST_URL: cache,
    UPSTASH_REDIS_REST_TOKEN: 'secret',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'of the role',
    AWS_SESSION_TOKEN: 'of the session',
    AWS_ENDPOINT_URL_DYNAMODB: database,
  });

  expect(statusCode).toBe(200);
  expect(asked[0]?.['x-amz-security-token']).toBe('of the session');
  expect(asked[0]?.authorization).toMatch(/Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/dynamodb\/aws4_request/);
});
