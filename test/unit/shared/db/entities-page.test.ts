import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { useDatabase } from '../../../support/database.ts';
import { projectRoot } from '../../../support/local-server.ts';
import { readCodeBlocks } from '../../../support/read-code-blocks.ts';

interface Order {
  id: string;
  status: string;
  version: number;
}
/** The exports of the page's file. */
interface Orders {
  addOrder(customer: string): Promise<Order>;
  payOrder(id: string, version: number): Promise<Order>;
  listOrders(
    customer: string,
    limit: number,
    cursor?: string,
  ): Promise<{ list: Order[]; next_cursor: string }>;
}

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** Writes the files of the page and loads the last one. */
async function loadExample(): Promise<Orders> {
  await mkdir(join(projectRoot, '.build'), { recursive: true });
  const folder = await mkdtemp(join(projectRoot, '.build', 'page-'));
  folders.push(folder);
  let last = '';
  for (const { file, code } of readCodeBlocks('docs/entities.md')) {
    if (file === undefined) continue;
    last = join(folder, file);
    await mkdir(dirname(last), { recursive: true });
    await writeFile(last, code);
  }
  return require(last);
}

test('the example of entities.md keeps orders', async () => {
  const { addOrder, payOrder, listOrders } = await loadExample();
  const [first, second] = [await addOrder('a'), await addOrder('a')];
  await addOrder('b');

  const paid = await payOrder(first.id, 1);

  expect(paid).toMatchObject({ status: 'paid', version: 2 });
  await expect(payOrder(first.id, 1)).rejects.toMatchObject({ code: 'version_conflict' });
  await expect(payOrder('none', 1)).rejects.toMatchObject({ code: 'shop.order_not_found', status: 404 });
  const newest = await listOrders('a', 1);
  const older = await listOrders('a', 1, newest.next_cursor);
  const byId = (a: Order, b: Order) => (a.id < b.id ? 1 : -1);
  expect([...newest.list, ...older.list]).toEqual([paid, second].sort(byId));
});
