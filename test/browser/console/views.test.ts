import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest } from '../chromium.ts';
import { findBarriers } from './find-barriers.ts';
import { useDesk } from './fixture.ts';

// Saved views, at the page of the administrators.

const desk = useDesk();
const password = 'a long password';
const path = 'system/admin';
const openMenu = async (page: Page) => {
  await page.getByRole('button', { name: /^View/ }).click();
  return page.getByRole('menu', { name: /^View/ }).filter({ visible: true });
};
const readRequests = (page: Page) => {
  const found: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/system/view/')) found.push(new URL(request.url()).pathname);
  });
  return found;
};

describe('saved views', () => {
  browserTest('are kept by one administrator, opened by another, and linked', async () => {
    await desk.logInAgain();
    const roles = await desk.addRole('system/admin:read');
    const colleague = await desk.addAdmin({ roles: [roles] });
    const { page } = await desk.open({ path: `${path}?account=root` });
    const asked = readRequests(page);
    await page.getByRole('row', { name: /\broot\b/ }).waitFor();
    expect(asked).toEqual([]);

    const menu = await openMenu(page);
    await menu.getByRole('menuitem', { name: 'No views yet' }).waitFor();
    await menu.getByRole('menuitem', { name: /Save as a view/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.locator('input:focus').waitFor();
    await page.keyboard.type('The root');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: The root' }).waitFor();
    const link = new URL(page.url());
    expect(link.searchParams.get('account')).toBe('root');

    const other = await desk.open({ path, as: { account: colleague.account, password } });
    await (await openMenu(other.page)).getByRole('menuitem', { name: 'The root' }).click();
    await other.page.getByRole('button', { name: 'View: The root' }).waitFor();
    expect(new URL(other.page.url()).search).toBe(link.search);

    const id = link.searchParams.get('saved_view');
    await other.page.goto(`${desk.url}/console/${path}?saved_view=${id}`);
    await other.page.waitForURL(/account=root/);
    await other.page.getByRole('button', { name: 'View: The root' }).waitFor();
    await other.page.getByRole('row', { name: colleague.account }).waitFor({ state: 'hidden' });
  });

  browserTest('bring their columns, and leave the own ones alone', async () => {
    const hidden = ['name'];
    const view = { page: path, name: 'No names', query: '', columns: { shown: [], hidden, order: [] } };
    await desk.call('system/view/add', view);
    const { page } = await desk.open({ path });
    const heading = page.getByRole('columnheader', { name: 'Name', exact: true });
    await heading.waitFor();

    await (await openMenu(page)).getByRole('menuitem', { name: 'No names' }).click();
    await heading.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'View: No names' }).waitFor();
    await heading.waitFor({ state: 'hidden' });
    await (await openMenu(page)).getByRole('menuitem', { name: 'All records' }).click();

    await heading.waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  browserTest('open again with their page, until all records are chosen', async () => {
    await desk.call('system/view/add', { page: path, name: 'Again', query: 'account=root', columns: null });
    const { page } = await desk.open({ path });
    const visit = async () => {
      await page.goto(`${desk.url}/console/`);
      await page.locator('.shell-side').getByRole('link', { name: 'Administrators' }).click();
    };
    await (await openMenu(page)).getByRole('menuitem', { name: 'Again' }).click();
    await page.waitForURL(/account=root/);

    const lists: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(`/adminapi/${path}/list`)) lists.push(new URL(request.url()).search);
    });
    await visit();
    await page.waitForURL(/account=root/);
    await page.getByRole('button', { name: 'View: Again' }).waitFor();
    await page.getByRole('row', { name: /\broot\b/ }).waitFor();
    expect(lists).toEqual([expect.stringContaining('account=root')]);
    const unfiltered = page.waitForResponse((response) => /admin\/list\?(?!.*account=)/.test(response.url()));
    await page.getByRole('search').getByRole('textbox', { name: 'Account' }).fill('');
    await unfiltered;
    await page.getByRole('button', { name: 'View: Again *' }).waitFor();
    await (await openMenu(page)).getByRole('menuitem', { name: 'All records' }).click();
    await page.waitForURL((url) => url.search === '');
    await visit();

    await page.getByRole('row', { name: /\broot\b/ }).waitFor();
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  browserTest('are updated and deleted, and a link to a deleted one says so', async () => {
    await desk.call('system/view/add', { page: path, name: 'Changing', query: 'account=a', columns: null });
    const { page } = await desk.open({ path });
    await (await openMenu(page)).getByRole('menuitem', { name: 'Changing' }).click();
    await page.waitForURL(/account=a/);

    await page.getByRole('search').getByRole('textbox', { name: 'Account' }).fill('root');
    await page.getByRole('button', { name: 'View: Changing *' }).waitFor();
    await (await openMenu(page)).getByRole('menuitem', { name: 'Update “Changing”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Update “Changing”' }).click();
    await page.getByRole('button', { name: 'View: Changing', exact: true }).waitFor();
    const link = page.url();
    await (await openMenu(page)).getByRole('menuitem', { name: 'Delete “Changing”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete “Changing”' }).click();
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
    await page.goto(link);

    await page.getByText('This view does not exist any more').waitFor();
    expect(new URL(page.url()).search).toBe('?account=root');
  });

  browserTest('refuse a name that is taken, in the dialog', async () => {
    await desk.call('system/view/add', { page: path, name: 'Taken', query: '', columns: null });
    const { page, expects } = await desk.open({ path });
    expects('409 POST /adminapi/system/view/add');

    await (await openMenu(page)).getByRole('menuitem', { name: /Save as a view/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ｔａｋｅｎ');
    await dialog.getByRole('button', { name: 'Save' }).click();

    await dialog.getByRole('alert').getByText('The page has a view with this name').waitFor();
  });

  browserTest.each(['en', 'zh_CN'] as const)('have no barriers, in %s', async (locale) => {
    await desk.call('system/view/add', { page: path, name: `Free ${locale}`, query: '', columns: null });
    const { page } = await desk.open({ path, locale });
    await page.getByRole('button', { name: /^(?:View|视图)/ }).click();
    await page.getByRole('menuitem', { name: `Free ${locale}` }).waitFor();
    const found = [await findBarriers(page, 'menu')];
    await page.getByRole('menuitem', { name: /Save as a view|另存为视图/ }).click();
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    found.push(await findBarriers(page, 'dialog'));

    expect(found).toEqual([[], []]);
  });
});
