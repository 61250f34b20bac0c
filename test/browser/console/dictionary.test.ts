import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { browserTest } from '../chromium.ts';
import { addItems, readItems } from './dictionaries.ts';
import { useDesk } from './fixture.ts';

// Dictionaries: types, items, import and order.

const desk = useDesk();
const path = 'system/setting/dict/type';
async function addType(page: Page, key: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a type' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Dictionary type').and(page.locator(':focus')).waitFor();
  await form.getByLabel('Dictionary type').fill(key);
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
}

describe('the dictionaries', () => {
  browserTest(
    'take 2,000 items from a file into a new type, and name the lines with faults',
    async () => {
      const { page } = await desk.open({ path });
      await addType(page, 'city', 'Cities');
      await page.getByRole('heading', { name: 'Cities' }).waitFor();
      const lines = Array.from({ length: 2000 }, (_, index) => `c${index},City ${index},${index}`);
      const buffer = Buffer.from(['value,name,sort', ...lines, 'faulty,,1'].join('\n'));

      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Import items into Cities' });
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'cities.csv', mimeType: 'text/csv', buffer });
      await dialog.getByText('2001 lines: 2000 new, 0 changed, 0 the same, 1 with faults.').waitFor();
      await dialog.getByRole('button', { name: 'Import 2000 items' }).click();
      await dialog.getByText('Imported: 2000 added').waitFor({ timeout: 60_000 });
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();

      await page.getByText('Total 2000').waitFor();
      expect(await readItems(desk, 'city')).toMatchObject({ total: 2000 });
    },
    120_000,
  );

  browserTest('store a new order, and change a name in its place, by keyboard alone', async () => {
    await addItems(desk, 'colour', ['Red', 'Green', 'Blue']);
    const { page } = await desk.open({ path });
    await page.getByRole('link', { name: /colour/ }).press('Enter');

    await page.locator('[data-handle=blue]').press('ArrowUp');
    await page.getByText('Blue is now number 2').waitFor();
    await page.getByRole('button', { name: /Edit Name of Green/ }).press('Enter');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Dark green');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: /Edit Name of Dark green/ }).waitFor();
    expect(sent).toEqual(['/adminapi/system/setting/dict/data/edit']);
    const { list } = await readItems(desk, 'colour');
    expect(list.map(({ name }) => name)).toEqual(['Red', 'Blue', 'Dark green']);
  });

  browserTest('take one item after the other, each at the end, without showing a number', async () => {
    await addItems(desk, 'season', []);
    await desk.call('system/setting/dict/data/import', {
      ...{ type_key: 'season', mode: 'merge' },
      items: ['a', 'b'].map((value) => ({ value, name: value.toUpperCase(), sort: 0 })),
    });
    const { page } = await desk.open({ path: `${path}?type_key=season` });
    await page.getByText('To change the order').waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).not.toContain('Sort');
    await page.getByRole('button', { name: 'Add an item' }).click();
    const form = page.getByRole('dialog', { name: 'Add a dictionary item' });
    const fill = async (value: string, button: string) => {
      await form.getByLabel('Value').and(page.locator(':focus')).waitFor();
      await form.getByLabel('Value').fill(value);
      await form.getByLabel('Name').fill(value.toUpperCase());
      await form.getByRole('button', { name: button, exact: true }).click();
    };
    await form.getByLabel('Value').waitFor();
    expect(await form.locator('[data-path=sort], [data-path=type_key]').count()).toBe(0);

    await fill('c', 'Save and add another');
    await page.locator('[data-handle=c]').waitFor();
    await fill('0', 'Save and add another');
    await page.locator('[data-handle="0"]').waitFor();
    await fill('d', 'Save');
    await form.waitFor({ state: 'hidden' });

    const { list } = await readItems(desk, 'season');
    expect(list.map(({ value }) => value)).toEqual(['a', 'b', 'c', '0', 'd']);
    expect(list.every(({ sort }) => sort >= 0)).toBe(true);
  });

  browserTest('show what another operator has changed, and keep what is chosen', async () => {
    await addItems(desk, 'fruit', ['Apple']);
    const key = { type_key: 'fruit' };
    const { page, expects } = await desk.open({ path });
    expects('409 POST /adminapi/system/setting/dict/type/edit');
    await page.getByRole('link', { name: /fruit/ }).click();
    await page.getByRole('button', { name: 'Edit the type' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Fruit of mine');
    const stored = z.parse(
      z.looseObject({ version: z.number() }),
      await desk.call('system/setting/dict/type/detail?type_key=fruit'),
    );
    const { version } = stored;
    await desk.call('system/setting/dict/type/edit', { ...key, version, name: 'Theirs', remark: 'Sweet' });

    await form.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'This was changed by another operator meanwhile' });
    await conflict.getByText('Theirs').waitFor();
    await conflict.getByText('Fruit of mine').waitFor();
    await conflict.getByRole('button', { name: 'Save my choice' }).click();

    await page.getByRole('heading', { name: 'Fruit of mine' }).waitFor();
    expect(await desk.call('system/setting/dict/type/detail?type_key=fruit')).toMatchObject({
      name: 'Fruit of mine',
      remark: 'Sweet',
    });
  });
});
