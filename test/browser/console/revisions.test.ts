import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import * as z from 'zod/mini';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { administrator } from '../../support/administrator.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// Who changed what, from which value, and back.

const desk = useDesk();
const added = z.object({ id: z.string() });
const content = (hour: string) => `<p>The park opens at ${hour} every day of the season.</p>`;

async function addArticle(title: string): Promise<string> {
  const article = { title, category: 'news', content: content('nine') };
  return z.parse(added, await desk.call('article/article/add', article)).id;
}
const editArticle = (id: string, version: number, changes: object) =>
  desk.call('article/article/edit', { id, version, ...changes });
const readArticle = (id: string) => desk.call(`article/article/detail?id=${id}`);

async function openHistory(page: Page): Promise<Locator> {
  await page.getByRole('tab', { name: 'History' }).click();
  return page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem');
}
const putBack = 'Put back the version before this change';

describe('the history of an article', () => {
  browserTest('says who changed the title, and puts it back by an ordinary edit', async () => {
    const id = await addArticle('Spring sale');
    await editArticle(id, 1, { title: 'Wrong sale', content: content('ten') });
    await editArticle(id, 2, { summary: 'Later' });
    const { page } = await desk.open({ path: `article/article#detail/${id}` });

    const events = await openHistory(page);
    const change = events.filter({ hasText: 'Wrong sale' });
    await change.getByText('Edit an article').waitFor();
    await change.getByText('Spring sale', { exact: true }).waitFor();
    expect(await change.locator('del').allTextContents()).toEqual(['nine']);
    expect(await change.locator('ins').allTextContents()).toEqual(['ten']);
    expect(await change.locator('strong').textContent()).toMatch(/\w/);
    await change.getByRole('button', { name: putBack }).click();
    const question = page.getByRole('dialog', { name: putBack });
    await question.getByText('Title, Summary, Content').waitFor();
    await question.getByRole('button', { name: putBack }).click();
    await page.getByText('Put back', { exact: true }).waitFor();

    expect(await readArticle(id)).toMatchObject({
      ...{ title: 'Spring sale', summary: '', version: 4 },
      content: content('nine'),
    });
    await events.nth(3).waitFor();
    await page.getByRole('dialog', { name: 'Spring sale' }).waitFor();
  });

  browserTest('asks which values to keep if another operator has edited meanwhile', async () => {
    const id = await addArticle('First');
    await editArticle(id, 1, { title: 'Second' });
    const { page, expects } = await desk.open({ path: `article/article#detail/${id}` });
    const events = await openHistory(page);
    await events.filter({ hasText: 'Second' }).waitFor();
    await editArticle(id, 2, { title: 'Theirs' });
    expects('409 POST /adminapi/article/article/edit');

    await page.getByRole('button', { name: putBack }).click();
    await page.getByRole('dialog', { name: putBack }).getByRole('button', { name: putBack }).click();
    const conflict = page.getByRole('dialog', { name: 'This was changed by another operator meanwhile' });
    await conflict.getByText('Theirs').waitFor();
    expect(await readArticle(id)).toMatchObject({ title: 'Theirs' });
    await conflict.getByRole('button', { name: 'Save my choice' }).click();
    await conflict.waitFor({ state: 'hidden' });
    await page.getByText('Put back', { exact: true }).waitFor();

    expect(await readArticle(id)).toMatchObject({ title: 'First', version: 4 });
  });

  browserTest(
    'has refused changes, for those who may read the log; others see the changes alone',
    async () => {
      const id = await addArticle('Kept');
      await editArticle(id, 1, { title: 'Changed' });
      await desk.admin.post('/adminapi/article/article/edit', { id, version: 1, title: 'Late' });
      await desk.admin.post('/adminapi/article/article/edit', { id, version: 2, title: '' });
      const as = await addHolder(desk, ['article:read']);
      const [all, own] = [
        await desk.open({ path: `article/article#detail/${id}` }),
        await desk.open({ path: `article/article#detail/${id}`, as }),
      ];

      const events = await openHistory(all.page);
      await events.filter({ hasText: 'Changed meanwhile by another operator' }).waitFor();
      await events.filter({ hasText: 'Refused because of Title' }).waitFor();
      expect(await events.count()).toBe(4);
      const seen = await openHistory(own.page);
      await seen.filter({ hasText: 'Changed' }).waitFor();
      expect(await seen.count()).toBe(1);
      // Who may not edit cannot put back.
      expect(await own.page.getByRole('button', { name: putBack }).count()).toBe(0);
    },
  );
});

describe('the history of settings', () => {
  browserTest('has old and new values, of secrets that they changed, and fills the form', async () => {
    const save = (group: string, values: object) =>
      desk.call('system/setting/config/save', { group, values });
    await save('basics', { site_name: 'Old name' });
    await save('basics', { site_name: 'New name' });
    await save('ai', { api_key: 'sk-hidden-words' });
    const { page } = await desk.open({ path: 'system/setting/config?group=ai' });
    const secrets = await openHistory(page);
    await secrets.first().waitFor();
    expect(await secrets.allTextContents()).toEqual([expect.not.stringContaining('sk-hidden')]);
    await page.getByRole('tab', { name: 'Site' }).click();

    const events = await openHistory(page);
    await events
      .filter({ hasText: /Old name.*New name/ })
      .getByRole('button', { name: putBack })
      .click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    const { list } = Object(await desk.call('system/setting/config/list?group=basics&page_size=200'));
    expect(list).toContainEqual(expect.objectContaining({ key: 'site_name', value: 'Old name' }));
  });
});

describe('the audit log', () => {
  browserTest('names records by their titles, with links, and is filtered by names', async () => {
    const id = await addArticle('A named article');
    const { page } = await desk.open({ path: 'system/audit' });
    const rows = page.getByRole('row');
    const link = rows.filter({ hasText: 'Add an article' }).getByRole('link', { name: 'A named article' });
    await link.first().waitFor();
    const search = page.getByRole('search');
    await search.getByRole('combobox', { name: 'Action' }).fill('Add an art');
    await page.getByRole('option', { name: 'Add an article', exact: true }).click();
    await page.waitForURL(/action=article(%2F|\/)article(%2F|\/)add/);
    await search.getByRole('combobox', { name: 'Kind of record' }).press('Enter');
    await page.getByRole('option', { name: 'Articles', exact: true }).click();
    await search.getByRole('combobox', { name: 'Record', exact: true }).press('Enter');
    await page.getByRole('option', { name: 'A named article' }).click();
    await page.waitForURL(new RegExp(`target=article(%3A|:)${id}`));
    await search.getByRole('combobox', { name: 'Actor' }).press('Enter');
    await page.getByRole('option', { name: administrator.account, exact: true }).click();
    await page.waitForURL(/actor=admin/);
    await page.reload();

    await link.waitFor();
    expect(await rows.count()).toBe(2);
    await link.click();
    await page.getByRole('dialog', { name: 'A named article' }).waitFor();
  });

  browserTest('links files, their categories and OAuth clients to where each is shown', async () => {
    const category = { name: 'Harbours', type: 'image', parent_id: null };
    const { id } = z.parse(added, await desk.call('system/file/category/add', category));
    await desk.call('system/oauth/client/add', {
      name: 'Lighthouse',
      redirect_uris: ['https://a.test/back'],
    });
    const { page } = await desk.open({ path: 'system/file' });
    const picture = { name: 'quay.png', mimeType: 'image/png', buffer: validFiles.png };
    await page.locator('#content input[type=file]').setInputFiles(picture);
    await page.getByRole('link', { name: 'Show quay.png' }).waitFor();
    const { list } = Object(await desk.call('system/file/list'));
    await desk.call('system/file/rename', { id: list[0].id, name: 'pier.png' });
    const follow = async (action: string) => {
      await page.goto(`${desk.url}/console/system/audit`);
      await page.getByRole('row').filter({ hasText: action }).first().locator('.record-link a').click();
    };

    await follow('Rename a file');
    await page.getByRole('dialog', { name: 'Details of the file' }).getByText('pier.png').first().waitFor();
    await follow('Add a file category');
    await page.waitForURL(
      ({ pathname, search }) => pathname.endsWith('/system/file') && search === `?cid=${id}`,
    );
    await follow('Register an OAuth client');
    await page.getByRole('dialog', { name: 'Lighthouse' }).waitFor();
  });
});
