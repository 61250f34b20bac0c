import { describe, expect } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { browserTest } from '../chromium.ts';
import { addItems, readItems } from './dictionaries.ts';
import { useDesk } from './fixture.ts';
import { holdAnswer } from './hold.ts';

// Dictionaries with a lost connection, slow answers, and input that is left half-way.

const desk = useDesk();
const path = 'system/setting/dict/type';
const data = '/adminapi/system/setting/dict/data';

async function openType(type: string) {
  const tab = await desk.open({ path: `${path}?type_key=${type}` });
  await tab.page.getByRole('heading', { name: type }).waitFor();
  return tab;
}

async function readLines(page: Page, lines: readonly string[]) {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Import items/ });
  await dialog.getByRole('textbox').fill(['value,name', ...lines].join('\n'));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  return dialog;
}

describe('an import', () => {
  browserTest('that loses its connection goes on where it stopped', async () => {
    await addItems(desk, 'parts', []);
    const { page, expects } = await openType('parts');
    const dialog = await readLines(
      page,
      Array.from({ length: 1200 }, (_, index) => `p${index},Part ${index}`),
    );
    let isLost = false;
    await page.route('**/adminapi/system/setting/dict/**', async (route) => {
      const isNext = route.request().url().endsWith('/import');
      if (isLost) return route.abort();
      await route.continue();
      isLost = isNext;
    });
    const lost = ['type/list', 'data/list'].map((list) => `failed GET /adminapi/system/setting/dict/${list}`);
    expects(`failed POST ${data}/import`, ...lost);

    await dialog.getByRole('button', { name: 'Import 1200 items' }).click();
    await dialog.getByText('The import stopped at 500 of 1200 items').waitFor();
    await page.unroute('**/adminapi/system/setting/dict/**');
    await dialog.getByRole('button', { name: 'Go on' }).click();

    await dialog.getByText('Imported: 1200 added, 0 changed').waitFor();
    expect(await readItems(desk, 'parts')).toMatchObject({ total: 1200 });
  });

  browserTest('without a column of the order keeps that of the file', async () => {
    await addItems(desk, 'planets', []);
    const { page } = await openType('planets');

    const dialog = await readLines(page, ['m,Mercury', 'v,Venus', 'e,Earth', 'a,Mars']);
    expect(await dialog.getByRole('columnheader', { name: 'Order' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Import 4 items' }).click();
    await dialog.getByText('Imported: 4 added').waitFor();

    const { list } = await readItems(desk, 'planets');
    expect(list.map(({ name }) => name)).toEqual(['Mercury', 'Venus', 'Earth', 'Mars']);
    expect(list.every(({ sort }) => sort >= 0)).toBe(true);
  });

  browserTest('of lines with faults removes nothing', async () => {
    await addItems(desk, 'tools', ['Hammer', 'Saw']);
    const { page } = await openType('tools');

    const dialog = await readLines(page, ['drill,Drill', 'saw,']);
    await dialog.getByText('2 lines: 1 new, 0 changed, 0 the same, 1 with faults.').waitFor();
    await dialog.getByText('Items that are not listed stay').waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Import 1 items' }).click();

    await dialog.getByText('Imported: 1 added, 0 changed, 0 removed.').waitFor();
    expect(await readItems(desk, 'tools')).toMatchObject({ total: 3 });
  });

  browserTest('says that a part of the console could not be loaded', async () => {
    await addItems(desk, 'boats', []);
    const { page, expects } = await openType('boats');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Import items/ });
    await dialog.getByRole('textbox').fill('value,name\na,A');
    await page.route('**/*.js', (route) => {
      expects(`failed GET ${new URL(route.request().url()).pathname}`);
      return route.abort();
    });

    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('alert').getByText('dynamically imported module').waitFor();
    await page.unroute('**/*.js');
  });
});

describe('an item', () => {
  browserTest('keeps what was typed if it could not be stored', async () => {
    await addItems(desk, 'birds', ['Crow']);
    const { page, expects } = await openType('birds');
    expects(`failed POST ${data}/edit`);
    await page.route(`**${data}/edit`, (route) => route.abort());
    const name = page.getByRole('textbox', { name: 'Edit Name of Crow' });

    await page.getByRole('button', { name: 'Edit Name of Crow' }).click();
    await name.fill('Raven');
    await name.press('Enter');
    await page.locator('.el-message').getByText('Your input is kept').first().waitFor();
    expect(await name.inputValue()).toBe('Raven');
    await page.unroute(`**${data}/edit`);
    await name.fill('Old raven');
    await name.press('Enter');

    await page.getByRole('button', { name: 'Edit Name of Old raven' }).and(page.locator(':focus')).waitFor();
  });

  browserTest('takes a second change while the first is stored', async () => {
    await addItems(desk, 'trees', ['Oak']);
    const { page } = await openType('trees');
    const release = await holdAnswer(page, /data\/edit$/);
    const fill = async (field: string, text: string) => {
      await page.getByRole('button', { name: `Edit ${field} of Oak` }).click();
      await page.getByRole('textbox', { name: `Edit ${field} of Oak` }).fill(text);
      await page.keyboard.press('Enter');
    };

    await Promise.all([page.waitForRequest(/data\/edit$/), fill('Name', 'Old oak')]);
    await fill('Remark', 'By the river');
    await release();

    await page.getByRole('button', { name: /^By the river/ }).waitFor();
    const { list } = await readItems(desk, 'trees');
    expect(list).toMatchObject([{ name: 'Old oak', remark: 'By the river' }]);
  });

  browserTest('is not stored by the Enter that ends a word of an input method', async () => {
    await addItems(desk, 'cities', ['Peking']);
    const { page } = await openType('cities');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const name = page.getByRole('textbox', { name: 'Edit Name of Peking' });

    await page.getByRole('button', { name: 'Edit Name of Peking' }).click();
    await name.fill('bei');
    await name.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', isComposing: true });
    await name.dispatchEvent('keydown', { key: 'Escape', code: 'Escape', isComposing: true });

    expect(await name.inputValue()).toBe('bei');
    expect(sent).toEqual([]);
  });

  browserTest('moves by a click on its handle too, for fingers and without dragging', async () => {
    await addItems(desk, 'rivers', ['Rhine', 'Seine', 'Volga']);
    const { page } = await openType('rivers');

    await page.getByRole('button', { name: 'Move Volga' }).click();
    expect(await page.getByRole('menuitem', { name: 'Move down' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await page.getByRole('menuitem', { name: 'Move to the first place' }).click();
    await page.getByText('Volga is now number 1').waitFor();

    const { list } = await readItems(desk, 'rivers');
    expect(list.map(({ name }) => name)).toEqual(['Volga', 'Rhine', 'Seine']);
  });

  browserTest('stays in its place if it is dropped outside or its drag is cancelled', async () => {
    await addItems(desk, 'metals', ['Gold', 'Iron', 'Zinc']);
    const { page } = await openType('metals');
    const moves: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && moves.push(String(request.postData())));
    const dragOver = async () => {
      await page.locator('[data-handle=zinc]').hover();
      await page.mouse.down();
      await page.locator('[data-handle=gold]').hover();
    };

    await dragOver();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await dragOver();
    await page.getByRole('heading', { name: 'metals' }).hover();
    await page.mouse.up();
    await page.locator('[data-handle=zinc]').dragTo(page.locator('[data-handle=iron]'));

    await page.getByText('Zinc is now number 2').waitFor();
    expect(moves).toHaveLength(1);
  });
});

describe('a type', () => {
  browserTest('does not show the failure of another', async () => {
    await addItems(desk, 'slow', ['Snail']);
    await addItems(desk, 'quick', ['Hare']);
    const { page, expects } = await desk.open({ path });
    expects(`failed GET ${data}/list`);
    const held = Promise.withResolvers<Route>();
    await page.route(/data\/list\?.*type_key=slow/, held.resolve);

    await page.getByRole('link', { name: /slow/ }).click();
    const route = await held.promise;
    await page.getByRole('link', { name: /quick/ }).click();
    await page.getByRole('link', { name: 'Details of “Hare”' }).waitFor();
    await Promise.all([page.waitForEvent('requestfailed'), route.abort()]);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');

    expect(await page.locator('#content').getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'Details of “Hare”' }).waitFor();
  });
});
