import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { type CacheProxy, startCacheProxy } from '../support/cache-proxy.ts';
import { type Client, createClient } from '../support/client.ts';
import { createTempDir, type LocalServer, startLocalServer } from '../support/local-server.ts';

// Two services on the same stores, each with processes and flights of its own.

const changes = 50;
const readers = 200;
/** Granted by every second change. */
const asked = 'system/permission/list:read';

const undo: (() => Promise<void>)[] = [];
let proxy: CacheProxy;
let servers: LocalServer[];
let client: Client;
let root: string;

beforeAll(async () => {
  const cacheToken = 'test-token';
  const engine = await startDynamoDbEngine({
    dataDir: createTempDir(),
    environment: { PATH: process.env.PATH },
  });
  undo.push(() => engine.stop());
  const endpoint = await startUpstashEndpoint({ token: cacheToken });
  undo.push(() => endpoint.stop());
  proxy = await startCacheProxy(endpoint.url, cacheToken, 'service:principal:admin:');
  undo.push(() => proxy.stop());
  const environment = {
    APP_KEY: randomBytes(32).toString('hex'),
    DYNAMODB_ENDPOINT: engine.endpoint,
    UPSTASH_REDIS_REST_URL: proxy.url,
    UPSTASH_REDIS_REST_TOKEN: cacheToken,
    LOG_LEVEL: 'error',
  };
  // The first one installs.
  servers = [await startLocalServer({ environment })];
  servers.push(await startLocalServer({ environment }));
  for (const server of servers) undo.push(() => server.stop());
  client = createClient(servers[0]?.url ?? '');
  root = await client.login();
}, 120_000);

afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const post = async (path: string, body: object, token = root): Promise<Record<string, unknown>> => {
  const { status, data, text } = await client.post(`/adminapi/system/${path}`, body, { token });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return Object(data);
};

/** The grants after the nth change: their number is n + 1, and each second one lets the holder ask. */
function grantsOf(n: number, fillers: readonly string[]): string[] {
  return n % 2 === 1 ? [...fillers.slice(0, n), asked] : fillers.slice(0, n + 1);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Seen {
  /** Number of the change that the caller's grants show; undefined if only the status was asked for. */
  change?: number;
  status: number;
}

async function ask(server: LocalServer, token: string, isInfo: boolean): Promise<Seen> {
  const path = isInfo ? 'admin/info' : 'permission/list';
  const response = await fetch(`${server.url}/adminapi/system/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = z.parse(z.object({ data: z.unknown() }), await response.json());
  return { status: response.status, ...(isInfo && { change: Object(data).grants.length - 1 }) };
}

/** Changes a role while its holder asks two services. */
async function race(account: string, count: number) {
  const fillers = await listGrants();
  const role = await post('role/add', { name: account, grants: grantsOf(0, fillers) });
  const admin = await post('admin/add', { account, name: account, password: 'a password' });
  await post('admin/roles', { id: admin.id, role_ids: [role.id] });
  const { token } = await post('login/account', { account, password: 'a password' });
  const before = servers.map((server) => server.printed().length);
  let [begun, acknowledged, isDone] = [0, 0, false];
  const stale: string[] = [];
  let [reads, certain] = [0, 0];
  const reader = async (index: number) => {
    const server = servers[index % servers.length];
    if (!server) return;
    while (!isDone) {
      const startedAt = performance.now();
      const floor = acknowledged;
      const { status, change } = await ask(server, String(token), Math.random() < 0.5);
      const ceiling = begun;
      reads += 1;
      if (change !== undefined) {
        if (change < floor || change > ceiling) stale.push(`${change} after ${floor}, before ${ceiling}`);
      } else if (floor === ceiling) {
        certain += 1;
        if (status !== (floor % 2 === 1 ? 200 : 403)) stale.push(`${status} after ${floor}`);
      }
      await pause(Math.random() * 500 + (performance.now() - startedAt) * 2);
    }
  };
  const writer = async () => {
    for (let n = 1; n <= changes; n += 1) {
      begun = n;
      await post('role/edit', { id: role.id, version: n, grants: grantsOf(n, fillers) });
      acknowledged = n;
      // Time for requests that lie between two changes.
      await pause(Math.random() * 200);
    }
    isDone = true;
  };
  await Promise.all([writer(), ...Array.from({ length: count }, (_, index) => reader(index))]);
  const isHeldUp = servers.some((server, at) =>
    server.printed().slice(before[at]).includes('cache.invalidate_failed'),
  );
  return { reads, certain, stale, isHeldUp };
}

/** Different grants that do not cover {@link asked}. */
async function listGrants(): Promise<string[]> {
  const { data } = await client.get('/adminapi/system/permission/list', { token: root });
  const node = z.object({ path: z.string(), children: z.array(z.unknown()), read: z.boolean() });
  const list = (nodes: unknown): string[] =>
    z.parse(z.array(node), nodes).flatMap(({ path, children, read }) => {
      if (children.length > 0) return list(children);
      // A write right covers a route that reads.
      return read ? [`${path}:read`, `${path}:write`] : [`${path}:write`];
    });
  const all = list(data).filter((each) => !each.startsWith('system/permission/'));
  if (all.length <= changes) throw new Error('there are too few permissions');
  return all;
}

test('a change of a role counts for each request that starts after its answer, also while caches fill late', async () => {
  proxy.fillDelayMs = () => Math.random() * 40;
  let count = readers;
  let last = await race('holder', count);
  // Fewer readers on a busy machine.
  for (const account of ['holder-b', 'holder-c', 'holder-d']) {
    if (!last.isHeldUp) break;
    count /= 2;
    last = await race(account, count);
  }
  proxy.fillDelayMs = () => 0;

  expect(last).toMatchObject({ isHeldUp: false, stale: [] });
  expect(last.reads).toBeGreaterThanOrEqual(count);
  expect(last.certain).toBeGreaterThan(count / 4);
}, 240_000);
