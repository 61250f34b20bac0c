import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { writeWorkbook } from '#console/kit/sheets/workbook.ts';
import { copyForProducts } from '../../support/made-products.ts';
import { browserTest } from '../chromium.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import { useDesk } from './fixture.ts';

// A resource that one command has made: its records are added, found, imported, exported and deleted in the console.

const copy = copyForProducts('console');
const desk = useDesk(
  async () => {
    await copy.make();
    return {};
  },
  () => {},
  copy.root,
);
const path = 'shop/product';
const add = (values: object) => desk.call(`${path}/add`, { price: 100, status: 'first', ...values });
const listAll = async (): Promise<Record<string, unknown>[]> =>
  Object(await desk.call(`${path}/list?limit=100`)).list;

const rowOf = (page: Page, name: string): Locator => page.getByRole('row', { name });
const press = (where: Page | Locator, name: string | RegExp) =>
  where.getByRole('button', { name, exact: true }).click();

/** Opens the import of the page, and chooses a file there. */
async function startImport(page: Page, name: string, file: string | Blob): Promise<Locator> {
  await press(page, /^Import/);
  const dialog = page.getByRole('dialog', { name: /^Import/ });
  await choose(dialog, name, file);
  return dialog;
}
const choose = async (dialog: Locator, name: string, file: string | Blob) =>
  dialog.locator('input[type=file]').setInputFiles({
    name,
    mimeType: '',
    buffer: typeof file === 'string' ? Buffer.from(file) : Buffer.from(await file.arrayBuffer()),
  });

describe('a resource that was made by a command', () => {
  browserTest('has its records added, edited, found and deleted, all in the audit log', async () => {
    const { page } = await desk.open({ path });
    await press(page, 'Add a product');
    const form = page.getByRole('dialog', { name: 'Add a product' });
    await form.getByLabel('Name').fill('Brass lamp');
    await form.getByLabel('Price').fill('19.99');
    await form.getByRole('combobox', { name: 'Status' }).press('Enter');
    await page.getByRole('option', { name: '第一项' }).click();
    await press(form, 'Save');
    await rowOf(page, 'Brass lamp').getByText('19.99').waitFor();
    await add({ name: 'Oak table', status: 'second' });

    await press(page, 'Edit Brass lamp');
    const edit = page.getByRole('dialog', { name: 'Edit a product' });
    await edit.getByLabel('Price').fill('25');
    await press(edit, 'Save');
    await rowOf(page, 'Brass lamp').getByText('25.00').waitFor();

    await page.goto(`${desk.url}/console/${path}?search=TABLE`);
    await rowOf(page, 'Oak table').waitFor();
    expect(await rowOf(page, 'Brass lamp').count()).toBe(0);
    await page.goto(`${desk.url}/console/${path}?status=first`);
    await rowOf(page, 'Brass lamp').waitFor();
    expect(await rowOf(page, 'Oak table').count()).toBe(0);

    await press(page, 'More actions for Brass lamp');
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    await press(page.getByRole('dialog', { name: /Delete/ }), 'Delete a product');
    await rowOf(page, 'Brass lamp').waitFor({ state: 'detached' });
    const { list } = Object(await desk.call('system/audit/list'));
    const actions = list.map(({ action }: { action: string }) => action);
    for (const done of ['add', 'edit', 'delete']) expect(actions).toContain(`${path}/${done}`);
  });

  browserTest('imports a file whose columns the operator matches, once its lines are right', async () => {
    const rows = ['Article,Price,Status,Remark', 'Import one,1.50,第一项,x', 'Import two,cheap,second,y'];
    const { page, expects } = await desk.open({ path });
    const dialog = await startImport(page, 'products.csv', rows.join('\n'));
    await dialog.getByRole('alert').getByText('These fields have no column: Name').waitFor();
    expect(await dialog.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);

    expects(`422 POST /adminapi/${path}/import`);
    await dialog.getByRole('combobox', { name: 'Field of the column “Article”' }).press('Enter');
    await page.getByRole('option', { name: 'Name', exact: true }).click();
    await dialog.getByText('Nothing was written').waitFor();
    const faults = dialog.getByRole('region', { name: 'What is wrong' });
    expect(await faults.getByRole('row').last().innerText()).toMatch(
      /^3\s+Price\s+“cheap” does not fit here/,
    );
    expect((await listAll()).filter(({ name }) => String(name).startsWith('Import'))).toEqual([]);

    await choose(dialog, 'products.csv', rows.join('\n').replace('Article', 'Name').replace('cheap', '3'));
    await dialog.getByText('All 2 lines fit.').waitFor();
    expect(await findBarriersInBothLocales(page, 'the import', dialog)).toEqual([]);
  });

  browserTest('exports a workbook that the import takes, and adds no line twice', async () => {
    const workbook = await writeWorkbook('Products', [
      ['名称', 'SKU', 'Price', 'Status', 'Due'],
      ['Cup', 'c-1', 4.5, 'First', '2026-03-29'],
      ['=1+1', '0012', 1999, 'second', ''],
    ]);
    const { page, expects } = await desk.open({ path });
    const dialog = await startImport(page, 'products.xlsx', workbook);
    expects(`422 POST /adminapi/${path}/import`);
    await dialog.getByText('Faults: 1.').waitFor();
    await choose(dialog, 'products.xlsx', await toWorkbook('first'));
    await press(dialog, 'Import 2 lines');
    await dialog.getByText('2 lines added').waitFor();
    await choose(
      dialog,
      'products.csv',
      'Name,SKU,Price,Status,Due\nCup,c-1,4.50,first,2026-03-29\n=1+1,0012,1999.00,second,\n',
    );
    await press(dialog, 'Import 2 lines');
    await dialog.getByText('0 lines added, 2 were there before').waitFor();
    await press(dialog, 'Close');

    expect((await listAll()).filter(({ sku }) => sku)).toMatchObject([
      { name: '=1+1', sku: '0012', price: 199900, status: 'second' },
      { name: 'Cup', sku: 'c-1', price: 450, due: '2026-03-29' },
    ]);
    const download = page.waitForEvent('download');
    await press(page, 'Export');
    await page.getByRole('menuitem', { name: 'Excel file (.xlsx)' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
    expects(`422 POST /adminapi/${path}/import`);
    const again = await startImport(page, 'again.xlsx', new Blob([readFileSync(await file.path())]));
    const taken = again.getByRole('region', { name: 'What is wrong' }).getByRole('row');
    await taken.nth(2).waitFor();
    expect((await taken.allInnerTexts()).slice(1).map((text) => text.split(/\s+/)[1])).toEqual([
      'SKU',
      'SKU',
    ]);
  });

  const toWorkbook = (status: string) =>
    writeWorkbook('Products', [
      ['名称', 'SKU', 'Price', 'Status', 'Due'],
      ['Cup', 'c-1', 4.5, status, '2026-03-29'],
      ['=1+1', '0012', 1999, 'second', ''],
    ]);

  browserTest('has chosen records exported and deleted, and keeps what failed', async () => {
    for (const name of ['Bulk 1', 'Bulk 2', 'Bulk 3']) await add({ name });
    const { page, expects } = await desk.open({ path: `${path}?search=bulk` });
    await rowOf(page, 'Bulk 3').waitFor();
    await page.getByRole('row').first().getByRole('checkbox').press('Space');
    await page.getByText('3 selected').waitFor();
    const download = page.waitForEvent('download');
    await press(page, 'Export selection');
    await page.getByRole('menuitem', { name: 'CSV file' }).click();
    const [, ...saved] = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    // An amount keeps its digits.
    expect(saved.map((line) => line.includes(',1.00,'))).toEqual([true, true, true]);

    const [gone] = (await listAll()).filter(({ name }) => name === 'Bulk 2');
    await desk.call(`${path}/delete`, { id: gone?.id });
    expects(`404 POST /adminapi/${path}/delete`);
    await press(page.locator('.toolbar'), /^Delete/);
    await press(page.getByRole('dialog', { name: /Delete/ }), /^(Delete.*|OK)$/);
    const outcome = page.getByRole('dialog', { name: /Delete/ });
    await outcome.getByText('Done for 2 records').waitFor();
    await outcome.getByText('Bulk 2').waitFor();
    expect(await findBarriersInBothLocales(page, 'a run that failed in part', outcome)).toEqual([]);
  });
});
