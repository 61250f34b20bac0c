import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addLines,
  beginProgress,
  checkLines,
  type ImportRun,
  keyOf,
} from '#console/pages/import/run-import.ts';
import type { Access } from '../support/access.ts';
import { createTempDir, type LocalServer, startLocalServer } from '../support/local-server.ts';
import { copyForProducts } from '../support/made-products.ts';
import { connect } from '../support/use-server.ts';

// A file of ten thousand lines, imported by what the console runs into a service whose processes are killed meanwhile.

const count = 10_000;
const copy = copyForProducts();
const dataDir = createTempDir();
let server: LocalServer;
let access: Access;

async function start(): Promise<void> {
  server = await startLocalServer({ root: copy.root, dataDir });
  access = connect(server);
  await access.logInAgain();
}
beforeAll(async () => {
  await copy.make();
  await start();
}, 120_000);
afterAll(() => server?.stop());

const lines = Array.from({ length: count }, (_none, at) => ({
  number: at + 2,
  values: { name: `Product ${at}`, sku: `s-${at}`, price: at, status: at % 2 === 0 ? 'first' : 'second' },
}));

async function createRun(given: ImportRun['lines'], more: Partial<ImportRun> = {}): Promise<ImportRun> {
  return {
    key: await keyOf(given),
    lines: given,
    async send(batch) {
      const answer = await access.admin.post('/adminapi/shop/product/import', { ...batch });
      if (answer.status !== 200) throw Object.assign(new Error(answer.code), answer);
      return answer.data;
    },
    isStopped: () => false,
    onProgress: () => {},
    ...more,
  };
}

async function listNames(): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ''; ; ) {
    const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { data } = await access.admin.get(`/adminapi/shop/product/list?${query}`);
    names.push(...data.list.map(({ name }: { name: string }) => name));
    if (data.next_cursor === null) return names;
    cursor = data.next_cursor;
  }
}

describe('a file of 10,000 lines', () => {
  test('is checked whole before the first line is written, with each fault by line and field', async () => {
    const wrong = new Map<number, object>([
      [0, { status: 'gone' }],
      [4321, { price: -1 }],
      [9999, { name: '', due: '2026-02-30' }],
    ]);
    const run = await createRun(
      lines.map((line, at) => ({ ...line, values: { ...line.values, ...wrong.get(at) } })),
    );

    const faults = await checkLines(run);

    expect(faults.map(({ line, field }) => `${line} ${field}`)).toEqual([
      '2 status',
      '4323 price',
      '10001 name',
      '10001 due',
    ]);
    expect(await listNames()).toEqual([]);
  }, 300_000);

  test('has each line once after the service was killed at any line, and the file imported again', async () => {
    for (const killedAt of [Math.random(), Math.random()].map((part) => part * count)) {
      const killed: { done?: Promise<void> } = {};
      const run = await createRun(lines, {
        onProgress: (done) => {
          // The next request is on its way when the processes end.
          if (done >= killedAt && !killed.done)
            killed.done = new Promise((resolve) => setTimeout(resolve, Math.random() * 100)).then(() =>
              server.kill(),
            );
        },
      });
      await addLines(run, beginProgress()).catch(() => {});
      await killed.done;
      await start();
    }
    const progress = beginProgress();
    await addLines(await createRun(lines), progress);

    expect(progress.done).toBe(count);
    expect(progress.added + progress.present).toBe(count);
    expect((await listNames()).toSorted()).toEqual(lines.map(({ values: { name } }) => name).toSorted());
  }, 600_000);
});
