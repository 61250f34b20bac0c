import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { holdAnswer } from './hold.ts';
import { addHolder } from './holders.ts';

// Ctrl+K: everything that the operator may open, by keyboard.

const desk = useDesk();

const inputOf = (page: Page) => page.getByRole('combobox', { name: 'Find anything' });
const optionOf = (page: Page, name: RegExp) => page.getByRole('listbox').getByRole('option', { name });

async function openPalette(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+K');
  await inputOf(page).and(page.locator(':focus')).waitFor();
  if (text) await page.keyboard.type(text);
}

describe('Ctrl+K', () => {
  browserTest('opens a page, an action and a setting by keyboard alone', async () => {
    const { page } = await desk.open();
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();

    await openPalette(page, 'rol');
    await optionOf(page, /^Roles/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Roles' }).waitFor();

    await openPalette(page, 'add an art');
    await optionOf(page, /^Add an article/)
      .and(page.locator('[aria-selected=true]'))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/article\/article#add$/);

    await page.goto(`${desk.url}/console/system/role`);
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    await openPalette(page, 'ai.model');
    await optionOf(page, /model/i).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#ai-model:focus').waitFor();
  });

  browserTest('finds records by name, also older ones by a whole value', async () => {
    await desk.call('system/role/add', { name: 'Gardeners', remark: '', grants: [] });
    await desk.call('system/admin/add', { account: 'flora', name: 'Flora', password: 'a long password' });
    const { page } = await desk.open();
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();

    await openPalette(page, 'flor');
    await optionOf(page, /^Flora/).waitFor();
    await inputOf(page).fill('garden');
    await optionOf(page, /^Gardeners/).waitFor();
    expect(await optionOf(page, /^Flora/).count()).toBe(0);
    await page.keyboard.press('Enter');

    await page.getByRole('dialog', { name: 'Gardeners' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'Gardeners' }).waitFor({ state: 'hidden' });
    await openPalette(page);
    await page
      .getByRole('group', { name: 'Opened lately' })
      .getByRole('option', { name: /^Gardeners/ })
      .waitFor();
  });

  browserTest('shows only what the operator may open', async () => {
    await desk.call('system/role/add', { name: 'Hidden role', remark: '', grants: [] });
    const as = await addHolder(desk, ['system/file:read']);
    const { page } = await desk.open({ as });
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));

    await openPalette(page, 'hidden role');

    await page.getByText('Nothing found.').waitFor();
    await inputOf(page).fill('');
    expect(await optionOf(page, /^(Roles|System settings|Add)/).count()).toBe(0);
    await optionOf(page, /^Files/).waitFor();
    expect(asked.filter((path) => path.endsWith('/list'))).toEqual(['/adminapi/system/file/list']);
  });

  browserTest('drops what is found for a text that was typed on', async () => {
    await desk.call('system/role/add', { name: 'Wolves', remark: '', grants: [] });
    await desk.call('system/role/add', { name: 'Woodpeckers', remark: '', grants: [] });
    const { page } = await desk.open();
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    const release = await holdAnswer(page, /role\/list\?.*keyword=wo(&|$)/);

    await openPalette(page);
    await Promise.all([page.waitForRequest(/role\/list\?keyword=wo(&|$)/), page.keyboard.type('wo')]);
    const cancelled = page.waitForEvent('requestfailed', (request) =>
      /role\/list.*keyword=wo(&|$)/.test(request.url()),
    );
    await page.keyboard.type('odpe');
    await optionOf(page, /^Woodpeckers/).waitFor();
    await cancelled;
    await release();

    expect(await optionOf(page, /^Wolves/).count()).toBe(0);
  });

  browserTest('keeps what is typed before its code has loaded', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    const release = await holdAnswer(page, /command-palette-.*\.js/);

    await Promise.all([page.waitForRequest(/command-palette-.*\.js/), page.keyboard.press('Control+K')]);
    await page.keyboard.type('news');
    await release();

    await inputOf(page).waitFor();
    expect(await inputOf(page).inputValue()).toBe('news');
    expect(new URL(page.url()).hash).toBe('');
    await inputOf(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await inputOf(page).waitFor({ state: 'detached' });
  });

  browserTest('opens what is typed and entered before its code has loaded', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    const release = await holdAnswer(page, /command-palette-.*\.js/);

    await Promise.all([page.waitForRequest(/command-palette-.*\.js/), page.keyboard.press('Control+K')]);
    await page.keyboard.type('files');
    await page.keyboard.press('Enter');
    await release();

    await page.getByRole('heading', { name: 'Files' }).waitFor();
    await inputOf(page).waitFor({ state: 'detached' });
  });

  browserTest('takes what is typed while its input has lost the focus', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    await page.keyboard.press('Control+K');
    await inputOf(page).and(page.locator(':focus')).waitFor();

    await page.keyboard.type('fi');
    await inputOf(page).blur();
    await page.keyboard.type('les');
    expect(await inputOf(page).inputValue()).toBe('files');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Files' }).waitFor();
  });

  browserTest('gives the keys back if its code cannot be loaded', async () => {
    const { page, expects } = await desk.open({ path: 'system/role' });
    // The heading is there before the page and its keys are.
    await page.getByRole('button', { name: 'Add a role' }).waitFor();
    await page.route(/command-palette-.*\.js/, (route) => route.abort('failed'));
    // The browser may ask for it again.
    page.on('requestfailed', (request) => expects(`failed GET ${new URL(request.url()).pathname}`));

    await page.keyboard.press('Control+K');
    await page.locator('.el-message--error').waitFor();

    await page.keyboard.press('n');

    await page.getByRole('dialog', { name: 'Add a role' }).waitFor();
  });

  browserTest('fits on a narrow screen, opened by its button, in Chinese', async () => {
    const { page } = await desk.open({ viewport: { width: 390, height: 800 }, locale: 'zh_CN' });
    await page.getByRole('button', { name: '全局查找' }).click();
    await page.getByRole('combobox', { name: '全局查找' }).fill('文件');
    await optionOf(page, /^文件/).first().waitFor();

    const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(isTooWide)).toBe(false);
    await optionOf(page, /^文件/).first().click();
    await page.getByRole('heading', { name: '文件' }).waitFor();
  });
});
