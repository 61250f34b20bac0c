import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bundleOurs } from '../../bench/bundles.ts';
import { createInvocation } from '../../bench/event.ts';
import { inspect, isSdkAmong } from '../../bench/inspect-load.ts';

const root = resolve(__dirname, '..', '..');
const nowSeconds = Math.floor(Date.now() / 1000);

// In the format of the cache; those that carry rights are signed before the tests.
const entries: Record<string, string> = {
  'service:dict:type:colour':
    '{"generation":"g1","value":{"isEnabled":true,"isPublic":true,"options":[["r","红"]]}}',
  'service:dict:generation:colour': 'g1',
  'service:session:s1': `{"generation":"g2","value":{"id":"s1","kind":"admin","principalId":"a1","epoch":1,"expiresAt":${nowSeconds + 3600},"lastSeenAt":${nowSeconds}}}`,
  'service:session-generation:s1': 'g2',
  'service:principal:admin:a1':
    '{"generation":"g3 g5","value":{"sessionEpoch":1,"principal":{"role_ids":["r1"],"grants":["system:read"],"id":"a1","account":"root","name":"Root","avatar":"","status":"enabled","last_login_at":null,"last_login_ip":null,"created_at":"2026-01-01T00:00:00.000Z"}}}',
  'service:principal-generation:admin:a1': 'g3',
  'service:role-generation': 'g5',
  'service:site-status': '{"generation":"g4","value":{"isClosed":false,"message":""}}',
  'service:site-status:generation': 'g4',
};

/** The cache's answer to a command. */
function answer([name = '', ...args]: string[]): unknown {
  if (name === 'mget') return args.map((key) => entries[key] ?? null);
  return { incr: 1, expire: 1, pttl: 60_000 }[name] ?? null;
}

const environment: Record<string, string> = {
  APP_KEY: 'a key of at least thirty-two characters',
  TABLE_NAME: 'none',
  PUBLIC_URL: 'http://localhost',
  // No server listens there: database requests fail.
  DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_TOKEN: 'secret',
};

let folder: string;
let cache: Server;
let requests: { path: string | undefined; commands: string[] }[];

/** Answers pipelines in Upstash's protocol. */
function startCache(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const commands: string[][] = JSON.parse(await text(request));
    requests.push({ path: request.url, commands: commands.map(([name = '']) => name) });
    const replies = commands.map((command) => ({ result: answer(command) }));
    response.end(JSON.stringify(replies));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  // Installed, so that the site gate reads.
  writeFileSync(join(folder, 'install.lock'), '');
  environment.DATA_DIR = folder;
  cache = await startCache();
  environment.UPSTASH_REDIS_REST_URL = `http://127.0.0.1:${(cache.address() as AddressInfo).port}`;
  Object.assign(process.env, environment);
  const { signedFormat } = await import('#shared/cache/cache-entry.ts');
  for (const key of ['service:session:s1', 'service:principal:admin:a1'])
    entries[key] = signedFormat.encode(key, JSON.parse(entries[key] ?? ''), 60);
});

beforeEach(() => {
  requests = [];
});

afterAll(() => {
  cache.close();
  rmSync(folder, { recursive: true, force: true });
});

async function invoke(functionName: string, path: string, type: string, token?: string) {
  const bundle = await bundleOurs(root, functionName, join(folder, functionName));
  const invocationFile = join(folder, `${functionName}.json`);
  writeFileSync(invocationFile, JSON.stringify(createInvocation(path, { type }, token)));
  return { bundle, inspection: await inspect(bundle, invocationFile, environment) };
}

async function createToken(): Promise<string> {
  const { signToken } = await import('#shared/auth/token.ts');
  return signToken({ sessionId: 's1', kind: 'admin', principalId: 'a1', expiresAt: nowSeconds + 3600 });
}

describe.each([
  // Session, principal and dictionary.
  ['system-admin-config-dict', '/adminapi/system/config/dict', createToken, ['mget']],
  // Site status, throttle and dictionary.
  [
    'system-api-config-dict',
    '/api/system/config/dict',
    async () => undefined,
    ['incr', 'expire', 'pttl', 'mget'],
  ],
])('the bundle of %s', (functionName, path, token, commands) => {
  test('answers a cache hit with one pipeline and without the AWS SDK and undici', async () => {
    const { bundle, inspection } = await invoke(functionName, path, 'colour', await token());

    expect(inspection.node).toMatch(/^v24\./);
    expect(inspection.statusCode).toBe(200);
    expect(JSON.parse(inspection.body).data).toEqual({ colour: [{ name: '红', value: 'r' }] });
    expect(requests.map(({ path: target }) => target)).toEqual(['/pipeline']);
    expect(requests[0]?.commands).toEqual(commands);
    expect(isSdkAmong(inspection, bundle)).toBe(false);
    expect(inspection.isUndiciLoaded).toBe(false);
  });

  test('loads the AWS SDK once the database is asked, so the test above means something', async () => {
    const { bundle, inspection } = await invoke(functionName, path, 'unknown', await token());

    expect(inspection.statusCode).toBe(503);
    expect(bundle.sdkFiles).not.toEqual([]);
    expect(isSdkAmong(inspection, bundle)).toBe(true);
  });

  test('loads at most 128 KB', async () => {
    const { sizeBytes } = await bundleOurs(root, functionName, join(folder, functionName));

    expect(sizeBytes).toBeGreaterThan(10_000);
    expect(sizeBytes).toBeLessThanOrEqual(128 * 1024);
  });
});
