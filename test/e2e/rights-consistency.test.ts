import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { startCacheProxy } from '../support/cache-proxy.ts';
import { createTempDir, type LocalServer } from '../support/local-server.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';

// Two services on the same stores, each with processes and pending loads of its own.

const changes = 50;
const readers = 200;
/** Granted by every second change. */
const asked = 'system/permission/list:read';

const token = 'test-token';
const engine = useRunning(() =>
  startDynamoDbEngine({ dataDir: createTempDir(), environment: { PATH: process.env.PATH } }),
);
const endpoint = useRunning(() => startUpstashEndpoint({ token }));
const proxy = useRunning(() => startCacheProxy(endpoint.url, token, 'service:principal:admin:'));
const APP_KEY = randomBytes(32).toString('hex');
const start = () => ({
  environment: {
    APP_KEY,
    DYNAMODB_ENDPOINT: engine.endpoint,
    UPSTASH_REDIS_REST_URL: proxy.url,
    UPSTASH_REDIS_REST_TOKEN: token,
    LOG_LEVEL: 'error',
  },
});
// The first one installs.
const { server: first, admin, addAdmin } = useServer(start);
const { server: second } = useServer(() => ({ ...start(), login: false }));
const servers = [first, second];

const post = async (path: string, body: object) => {
  const { status, data, text } = await admin.post(`/adminapi/system/${path}`, body);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return data;
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
  const { data } = Object(await response.json());
  return { status: response.status, ...(isInfo && { change: data.grants.length - 1 }) };
}

/** Changes a role while its holder asks two services. */
async function race(account: string, count: number) {
  const fillers = await listGrants();
  const role = await post('role/add', { name: account, grants: grantsOf(0, fillers) });
  const { token } = await addAdmin({ roles: [role.id] });
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
      const { status, change } = await ask(server, token, Math.random() < 0.5);
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
  const { data } = await admin.get('/adminapi/system/permission/list');
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
