import { describe, expect } from '@jest/globals';
import { administrator } from '../../support/administrator.ts';
import { browserTest } from '../chromium.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';
import { logIn } from './log-in.ts';

// The start page: numbers that lead to their lists, what waits, and what the operator has changed last.

const desk = useDesk();
const article = { category: 'news', content: '<p>text</p>' };

describe('the start page', () => {
  browserTest('leads from a number to its list, in the language of the operator', async () => {
    await desk.call('article/article/add', { ...article, title: 'Counted' });
    const { page } = await desk.open();
    const content = page.locator('#content');
    await content.getByRole('link', { name: 'Articles', exact: true }).waitFor();
    await content.getByText('0 new in 7 days, 0 in the 7 days before').first().waitFor();

    await page.getByRole('button', { name: '切换到中文' }).click();
    await content.getByRole('link', { name: '文章', exact: true }).click();

    await content.getByRole('heading', { name: '文章', exact: true }).waitFor();
    await page.goBack();
    await content.getByRole('figure').nth(1).waitFor();
  });

  browserTest('leads to what waits, filtered', async () => {
    await desk.call('article/article/add', { ...article, title: 'Published' });
    await desk.call('article/article/add', { ...article, title: 'Half written', status: 'disabled' });
    const { page } = await desk.open();

    const waiting = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Waiting for you' }) });
    await waiting.getByRole('link', { name: 'Articles that are not published' }).click();

    await page.getByRole('row', { name: /Half written/ }).waitFor();
    expect(await page.getByRole('row', { name: /^Published/ }).count()).toBe(0);
  });

  browserTest('leads back to what the operator has changed last', async () => {
    const as = await addHolder(desk, ['system/role:write', 'system/audit:read', 'system/setting:write']);
    const added = Object(await desk.call('system/role/add', { name: 'Painters', remark: '', grants: [] }));
    const { page } = await desk.open({ as, path: `system/role#edit/${added.id}` });
    const form = page.getByRole('dialog', { name: /Painters/ });
    await form.getByLabel('Remark').fill('They paint');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });

    await page.locator('.side-menu').getByRole('link', { name: 'Home' }).click();
    const last = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'You changed last' }) });
    await last.getByRole('link', { name: 'Painters' }).click();

    await page.getByRole('dialog', { name: 'Painters' }).getByText('They paint').waitFor();
  });

  browserTest('names logins from new devices, and leads to the sessions', async () => {
    const as = await addHolder(desk, []);
    // By another program: the first device of all is no news.
    await desk.logIn(as.account, as.password);
    const { page } = await desk.open({ as: null, viewport: { width: 390, height: 800 } });
    await logIn(page, as);

    const logins = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'New logins to your account' }) });
    await logins.getByRole('listitem').filter({ hasText: 'Chrome, Linux' }).waitFor();
    expect(await findBarriersInBothLocales(page, 'new devices')).toEqual([]);
    await page.locator('section .el-alert a').click();

    await page.waitForURL(/system\/account\?tab=sessions/);
  });

  browserTest('names the records of the log in words, with links, and reads no list for them', async () => {
    const { id } = Object(await desk.call('system/role/add', { name: 'Poets', remark: '', grants: [] }));
    await desk.call('system/role/edit', { id, version: 1, remark: 'They write' });
    await desk.call('system/setting/config/save', { group: 'basics', values: { site_name: 'Verse' } });
    const { page } = await desk.open({ as: null });
    const lists: string[] = [];
    page.on('request', (request) => {
      if (/(?:role|admin)\/list/.test(request.url())) lists.push(request.url());
    });
    await logIn(page, administrator);

    const log = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Latest entries of the audit log' }) });
    const row = (text: string) => log.getByRole('listitem').filter({ hasText: text });
    await row('Edit a role').getByText('Poets', { exact: true }).waitFor();
    await row('Save settings').getByRole('link', { name: 'Site', exact: true }).waitFor();
    await row('Log an administrator in').first().getByRole('link', { name: administrator.account }).waitFor();
    expect(await log.getByText(/^[a-z_]+:\w/).allTextContents()).toEqual([]);
    expect(lists).toEqual([]);
    await row('Edit a role').getByRole('link', { name: 'Poets' }).click();
    await page.getByRole('dialog', { name: 'Poets' }).getByText('They write').waitFor();
    await page.goBack();
    await row('Save settings').getByRole('link', { name: 'Save settings' }).click();

    await page.getByRole('dialog', { name: 'Save settings' }).getByText('What was sent').waitFor();
  });

  browserTest('shows no number of what the operator may not list', async () => {
    await desk.call('article/article/add', { ...article, title: 'Unseen', status: 'disabled' });
    const as = await addHolder(desk, ['system/overview:read', 'system/file:read']);
    const { page } = await desk.open({ as });

    await page.getByText('AI calls in 30 days').waitFor();

    expect(
      await page
        .locator('#content')
        .getByText(/^(Articles|Users|Enabled|Waiting)/)
        .count(),
    ).toBe(0);
  });
});
