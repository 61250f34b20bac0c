import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { addItems } from './dictionaries.ts';
import { useDesk } from './fixture.ts';
import { untilLoaded } from './log-in.ts';

// Pages by hand: what they show has an address, which a refresh and the browser's back follow.

const desk = useDesk();

const placeOf = (page: Page) => {
  const { search, hash } = new URL(page.url());
  return `${search}${hash}`;
};

describe('the files', () => {
  browserTest('keep category, search, view and the opened file in the address', async () => {
    await desk.call('system/file/category/add', { type: 'image', name: 'Seas' });
    const { page } = await desk.open({ path: 'system/file' });
    await untilLoaded(page);
    await page.getByRole('treeitem', { name: 'Seas' }).click();
    const picture = { name: 'wave.png', mimeType: 'image/png', buffer: validFiles.png };
    await page.locator('#content input[type=file]').setInputFiles(picture);
    await page.getByRole('radio', { name: 'List' }).locator('..').click();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('wav');
    await page.waitForURL(/keyword=wav/);
    const before = placeOf(page);

    await page.getByRole('link', { name: 'wave.png' }).click();
    const detail = page.getByRole('dialog', { name: 'Details of the file' });
    await detail.waitFor();
    const opened = page.url();
    await page.reload();
    await detail.getByText('wave.png').first().waitFor();
    await page.goBack();
    await detail.waitFor({ state: 'hidden' });

    expect(before).toMatch(/^\?type=image&cid=\w+&view=list&keyword=wav$/);
    expect(placeOf(page)).toBe(before);
    expect(opened).toMatch(/#detail\/\w{26}$/);
    await page.goBack();
    await page.waitForURL(({ search }) => search === '');
    expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('');
  });

  browserTest('say that a file of a shared link is gone', async () => {
    const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

    const { page, expects } = await desk.open({ path: `system/file#detail/${id}` });
    expects('404 GET /adminapi/system/file/detail');

    await page.getByText('There is no such file').waitFor();
    await page.waitForURL(({ hash }) => hash === '');
  });
});

describe('the dictionaries', () => {
  browserTest('keep the type, the opened item and the import in the address', async () => {
    await addItems(desk, 'planet', ['Mars', 'Venus']);
    const { page } = await desk.open({ path: 'system/setting/dict/type' });
    await page.getByRole('link', { name: /planet/ }).click();

    await page.getByRole('link', { name: 'Details of “Mars”' }).click();
    const item = page.getByRole('dialog', { name: 'Mars' });
    await item.locator('dl').waitFor();
    await page.reload();
    await item.locator('dl').waitFor();
    expect(placeOf(page)).toBe('?type_key=planet#item-detail/planet/mars');
    await page.goBack();
    await item.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import items into planet' });
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(placeOf(page)).toBe('?type_key=planet');
    await page.goBack();
    await page.getByText('Choose a dictionary type.').waitFor();
  });

  browserTest('go to a type that was just added, and back to the list', async () => {
    const { page } = await desk.open({ path: 'system/setting/dict/type#type-add' });
    const form = page.getByRole('dialog');
    await form.getByLabel('Dictionary type').fill('moon');
    await form.getByLabel('Name').fill('Moons');

    await form.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('heading', { name: 'Moons' }).waitFor();
    expect(placeOf(page)).toBe('?type_key=moon');
  });

  browserTest('show the type of a link that knows its key only', async () => {
    await addItems(desk, 'comet', ['Halley']);

    const { page } = await desk.open({ path: 'system/setting/dict/type#detail/comet' });

    await page.getByRole('heading', { name: 'comet' }).waitFor();
    expect(placeOf(page)).toBe('?type_key=comet');
  });
});

describe('the settings', () => {
  browserTest('go back to the group before, and mark the field of a link', async () => {
    const { page } = await desk.open({ path: 'system/setting/config?group=ai&field=model' });
    await page.locator('#ai-model:focus').waitFor();
    expect(await page.locator('.el-form-item.marked').count()).toBe(1);

    await page.getByRole('tab', { name: 'Site' }).click();
    await page.waitForURL(({ search }) => search !== '?group=ai&field=model');
    await page.goBack();
    await page.reload();

    await page.locator('#ai-model:focus').waitFor();
  });
});

describe('the own account', () => {
  browserTest('keeps its tab in the address', async () => {
    const { page } = await desk.open({ path: 'system/account' });
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.waitForURL(/tab=password/);

    await page.reload();
    await page.getByRole('tab', { name: 'Password', selected: true }).waitFor();
    await page.goBack();

    await page.getByRole('tab', { name: 'Password', selected: false }).waitFor();
  });
});
