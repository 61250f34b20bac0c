import '../../../support/environment.ts';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { renderListenerEntry } from '#functions/bundle/entry.ts';
import { checkListener } from '#functions/checks/checks.ts';
import { discover } from '#functions/discover/discover.ts';
import type { FoundListener } from '#functions/model.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { findTarget } from '#shared/audit/target.ts';
import type { Key } from '#shared/db/items.ts';
import { beside } from '#shared/db/record-facts.ts';
import { removeItem } from '#shared/db/writes.ts';
import { defineStreamListener, type StreamListener } from '#shared/module/module.ts';
import { find, findRoot, problemsOf } from './fixture.ts';

const projectRoot = resolve(__dirname, '../../../..');
const load = <T>(file: string): Promise<T> => import(file);

const listenerSource = (options = `prefixes: ['A#'], maxAgeSeconds: 60`) => `
  import { defineStreamListener } from '#shared/module/module.ts';
  export default defineStreamListener({ ${options}, handle: async () => ({}) });`;

const listener = (rest: Partial<StreamListener> = {}): StreamListener =>
  defineStreamListener({ prefixes: ['A#', 'B#'], maxAgeSeconds: 60, handle: async () => ({}), ...rest });
const found = (rest: Partial<StreamListener> = {}): FoundListener => ({
  listener: listener(rest),
  module: 'System',
  file: 'modules/System/Stream/clear.ts',
  functionName: 'system-stream-clear',
});

describe('discover', () => {
  test('finds a listener for every file in Stream/', async () => {
    const { routes, jobs, listeners } = await find({
      'modules/Shop/Stream/count-orders.ts': listenerSource(),
    });

    expect([routes, jobs]).toEqual([[], []]);
    expect(listeners).toMatchObject([
      {
        listener: { prefixes: ['A#'], maxAgeSeconds: 60 },
        module: 'Shop',
        file: 'modules/Shop/Stream/count-orders.ts',
        functionName: 'shop-stream-count-orders',
      },
    ]);
  });

  test.each([
    ['a.ts', 'export {};', /^modules\/Shop\/Stream\/a\.ts has no default export/],
    ['a.ts', 'export default { prefixes: [] };', /a\.ts: exports no listener: /],
    ['aB.ts', listenerSource(), /aB\.ts: is not named in kebab-case/],
    ['b/a.ts', listenerSource(), /b\/a\.ts: is not named in kebab-case, directly in Stream\//],
    ['a.ts', listenerSource('prefixes: [], maxAgeSeconds: 60'), /are missing or empty/],
    ['a.ts', listenerSource('maxAgeSeconds: 60'), /a\.ts: .*are missing or empty/],
  ])('refuses the file %s with %j', async (file, source, problem) => {
    expect(await problemsOf({ [`modules/Shop/Stream/${file}`]: source })).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  test('finds the listener that clears caches', async () => {
    const { listeners } = await discover(projectRoot, load);

    expect(listeners.map(({ functionName }) => functionName)).toContain('system-stream-clear-caches');
  });
});

describe('a new entity with a cache', () => {
  const cache = `{ ttlSeconds: 400, invalidate: async (ids) => (globalThis.clearedShops.push(ids), true) }`;
  const files = {
    'modules/Shop/Api/order.ts': `
      import * as z from 'zod/mini';
      import { api } from '#shared/http/route.ts';
      import { defineEntity } from '#shared/db/entity.ts';
      export const orders = defineEntity({
        row: z.object({ id: z.string() }),
        key: ({ id }) => ({ pk: 'SHOP_ORDER#' + id, sk: 'SHOP_ORDER#' + id }),
        missing: () => new Error('missing'),
        target: 'shop_order',
        mirror: { cache: ${cache} },
      });
      export default api.openGet({ summary: { zh_CN: '甲', en: 'A' }, data: z.null(), handler: async () => null });`,
    'modules/Shop/Stream/clear.ts': `
      import { defineCacheListener } from '#shared/module/module.ts';
      import { clearCaches } from '#shared/stream/clear-caches.ts';
      export default defineCacheListener({ handle: clearCaches });`,
  };

  test('is followed by the stream and named in the audit log, by its declaration alone', async () => {
    const cleared: string[][] = [];
    Object.assign(globalThis, { clearedShops: cleared });
    const { listeners, routes } = await find(files);
    const { orders } = await load<{ orders: { key(id: { id: string }): Key } }>(
      join(findRoot(), String(routes[0]?.file)),
    );
    const [following] = listeners;

    expect(following?.listener).toMatchObject({
      prefixes: expect.arrayContaining(['SHOP_ORDER#']),
      maxAgeSeconds: 400,
    });
    expect(following && renderListenerEntry(following)).toContain('import { orders as entity');
    await following?.listener.handle([{ pk: 'SHOP_ORDER#1', sk: 'SHOP_ORDER#1' }], following.cached);
    expect(cleared).toEqual([['1']]);
    expect(findTarget([removeItem(orders.key({ id: '7' }))])).toBe('shop_order:7');
    expect(findTarget([removeItem(beside(orders.key({ id: '7' })))])).toBeNull();
  });

  test('has to be exported', async () => {
    const hidden = files['modules/Shop/Api/order.ts'].replace('export const orders', 'const orders');

    expect(await problemsOf({ ...files, 'modules/Shop/Api/order.ts': hidden })).toEqual([
      expect.stringContaining('modules/Shop/Api/order.ts: an entity with a mirror is not exported'),
    ]);
  });
});

describe('checkListener', () => {
  test.each([
    [{ prefixes: ['A#', ''] }, /are missing or empty/],
    [{ maxAgeSeconds: 59 }, /maxAgeSeconds is 59/],
    [{ maxAgeSeconds: 604_801 }, /maxAgeSeconds is 604801/],
    [{ maxAgeSeconds: 60.5 }, /maxAgeSeconds is 60.5/],
  ])('finds the fault of %j', (rest, fault) => {
    expect(checkListener(listener(rest), 'a')).toEqual([expect.stringMatching(fault)]);
  });

  test.each([60, 604_800])('accepts an age of %d seconds', (maxAgeSeconds) => {
    expect(checkListener(listener({ maxAgeSeconds }), 'a')).toEqual([]);
  });
});

describe('the entry of a listener', () => {
  test('imports the listener, and no route', () => {
    const source = renderListenerEntry(found());

    expect(source).toBe(
      [
        `import { streamHandler } from '#shared/http/background.ts';`,
        `import listener from '#modules/System/Stream/clear.ts';`,
        '',
        `export const handler = streamHandler(listener, { name: 'system-stream-clear' });`,
        '',
      ].join('\n'),
    );
  });
});

describe('createFunctionMap', () => {
  test("calls a listener from the table's stream, for items with its prefixes only", () => {
    const listeners = [found({ maxAgeSeconds: 300, limits: { memoryMb: 256 } })];

    const sources = { routes: [], jobs: [], listeners };
    const streamArn = { 'Fn::ImportValue': 'backend-prod-StreamArn' };

    const { 'system-stream-clear': a } = createFunctionMap(sources, 'prod', { streamArn });

    expect(a).toMatchObject({
      name: 'backend-prod-system-stream-clear',
      handler: '.build/entries/system-stream-clear.handler',
      memorySize: 256,
    });
    expect(a?.events).toEqual([
      {
        stream: {
          type: 'dynamodb',
          arn: streamArn,
          batchSize: 200,
          startingPosition: 'TRIM_HORIZON',
          maximumRecordAgeInSeconds: 300,
          bisectBatchOnFunctionError: true,
          // Lambda takes five patterns at most, each with as many alternatives as there are.
          filterPatterns: [{ dynamodb: { Keys: { pk: { S: [{ prefix: 'A#' }, { prefix: 'B#' }] } } } }],
        },
      },
    ]);
  });
});
