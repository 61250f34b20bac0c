import { describe, expect, test } from '@jest/globals';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { startCacheProxy } from '../support/cache-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';

const items = '/adminapi/system/setting/dict/data';
const readPath = (type: string) => `/api/system/config/dict?map=0&type=${type}`;

const token = 'test-token';
const endpoint = useRunning(() => startUpstashEndpoint({ token }));
const proxy = useRunning(() => startCacheProxy(endpoint.url, token));
const { server, client, admin, logInAgain } = useServer(() => ({
  environment: {
    UPSTASH_REDIS_REST_URL: proxy.url,
    UPSTASH_REDIS_REST_TOKEN: token,
    LOG_LEVEL: 'error',
  },
}));

async function addCounter(type_key: string): Promise<void> {
  const type = { type_key, name: 'x', enabled: true, public: true };
  await admin.post('/adminapi/system/setting/dict/type/add', type);
  const added = await admin.post(`${items}/add`, { type_key, value: 'n', name: '0' });
  expect(added.status).toBe(200);
}

/** Renames the only item of a type; the number in the name is the version that is edited. */
async function rename(type_key: string, name: number): Promise<void> {
  const body = { type_key, value: 'n', name: String(name), version: name };
  const answer = await admin.post(`${items}/edit`, body);
  expect(answer.status).toBe(200);
}

async function readNumber(type: string): Promise<number> {
  const answer = await client.get(readPath(type));
  expect(answer.status).toBe(200);
  return Number(answer.data.n);
}

// Readers pause, longer on a busier machine; without a pause they would only measure the machine.
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** As {@link readNumber}, without the checks of the answer: they would slow 200 readers down. */
async function readQuickly(type: string): Promise<number> {
  const response = await fetch(server.url + readPath(type));
  const [, number] = /"n":"(\d+)"/.exec(await response.text()) ?? [];
  return Number(number);
}

interface Race {
  reads: number;
  /** Reads that were older than a write acknowledged before they began. */
  stale: string[];
  /** The last number read. */
  shown: number;
  /** Whether the cache was too slow for a reader; the other results mean nothing then. */
  isHeldUp: boolean;
}

/** Edits an item a hundred times while many read it. */
async function race(type: string, readers: number): Promise<Race> {
  await addCounter(type);
  const before = server.printed().length;
  let acknowledged = 0;
  let isDone = false;
  const stale: string[] = [];
  let reads = 0;
  const reader = async () => {
    while (!isDone) {
      const startedAt = performance.now();
      const floor = acknowledged;
      const seen = await readQuickly(type);
      reads += 1;
      if (seen < floor) stale.push(`read ${seen} after ${floor}`);
      await pause(Math.random() * 1000 + (performance.now() - startedAt) * 5);
    }
  };
  const writer = async () => {
    for (let n = 1; n <= 100; n += 1) {
      await rename(type, n);
      acknowledged = n;
    }
    isDone = true;
  };
  await Promise.all([writer(), ...Array.from({ length: readers }, reader)]);
  const isHeldUp = server.printed().slice(before).includes('cache.invalidate_failed');
  return { reads, stale, shown: await readNumber(type), isHeldUp };
}

describe('dictionary reads beside writes', () => {
  test('are never older than a write acknowledged before they began, even if cache fills arrive late', async () => {
    proxy.fillDelayMs = () => Math.random() * 40;
    let readers = 200;
    let last = await race('racing', readers);
    // Fewer readers on a busy machine.
    for (const turn of ['b', 'c', 'd']) {
      if (!last.isHeldUp) break;
      readers /= 2;
      last = await race(`racing_${turn}`, readers);
    }
    proxy.fillDelayMs = () => 0;

    expect(last).toMatchObject({ isHeldUp: false, stale: [] });
    expect(last.reads).toBeGreaterThanOrEqual(readers);
    expect(last.shown).toBe(100);
  }, 240_000);

  test('accept one of two edits of the same version', async () => {
    await addCounter('edited');
    const edit = (name: string) =>
      admin.post(`${items}/edit`, { type_key: 'edited', value: 'n', name, version: 1 });

    const answers = await Promise.all([edit('5'), edit('6')]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200);
    expect(String(await readNumber('edited'))).toBe(Object(winner?.data).name);
  });
});

describe('without the cache', () => {
  for (const mode of ['refuse', 'hang'] as const) {
    test(`(${mode}) leaves reads, writes and logins to the database`, async () => {
      const type = `away_${mode}`;
      await addCounter(type);
      await readNumber(type);
      proxy.mode = mode;

      const startedAt = performance.now();
      const read = await readNumber(type);
      const elapsedMs = performance.now() - startedAt;
      await rename(type, 1);
      const health = await client.get('/health');
      await logInAgain();
      const info = await admin.get('/adminapi/system/admin/info');
      const afterWrite = await readNumber(type);
      proxy.mode = 'pass';

      expect(read).toBe(0);
      // One wait of at most 500 ms, and a reserve for a busy machine.
      expect(elapsedMs).toBeLessThan(2000);
      expect(afterWrite).toBe(1);
      expect(health.data).toMatchObject({ status: 'degraded', checks: { database: 'up', cache: 'down' } });
      expect(info.status).toBe(200);
    });
  }

  test('serves again when it is back', async () => {
    await addCounter('back');
    proxy.mode = 'refuse';
    await readNumber('back');
    proxy.mode = 'pass';

    await rename('back', 1);

    expect(await readNumber('back')).toBe(1);
    expect((await client.get('/health')).data).toMatchObject({ status: 'ok' });
  });
});

describe('gates and prefetch', () => {
  test('cost one request to the cache on a hit', async () => {
    await addCounter('counted');
    const path = '/adminapi/system/config/dict?type=counted';
    const countRequests = async () => {
      const before = proxy.requests;
      await admin.get(path);
      return proxy.requests - before;
    };

    // Fills take one or two requests, and the stream clears the cache again.
    expect(await eventually(countRequests, (count) => count === 1)).toBe(1);
  });
});
