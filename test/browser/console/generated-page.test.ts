import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { holdAnswer } from './hold.ts';

// What all pages of admin folders share, at the page of the administrators.

const desk = useDesk();
const password = 'a long password';
const addAdmin = async (account: string, name = account) => {
  const added = await desk.call('system/admin/add', { account, name, password });
  return z.parse(z.object({ id: z.string() }), added).id;
};
const path = 'system/admin';
const described = z.looseObject({
  pages: z.array(
    z.looseObject({
      path: z.string(),
      actions: z.array(z.looseObject({ name: z.string(), data: z.array(z.looseObject({})) })),
    }),
  ),
});

describe('the page of the administrators', () => {
  browserTest('filters, and keeps the filter in the address', async () => {
    await addAdmin('zhang', 'Zhang Wei');
    const { page } = await desk.open({ path });
    await page.getByRole('row', { name: 'Zhang Wei' }).waitFor();

    await page.getByRole('search').getByRole('textbox', { name: 'Account' }).fill('root');
    await page.getByRole('row', { name: 'Zhang Wei' }).waitFor({ state: 'hidden' });
    await page.reload();

    await page.getByRole('row', { name: /\broot\b/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?account=root');
    expect(await page.getByRole('row').count()).toBe(2);
  });

  browserTest('shows at its field what is wrong, before and after the service has said it', async () => {
    await addAdmin('taken');
    const { page, expects } = await desk.open({ path });
    expects('409 POST /adminapi/system/admin/add');
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const form = page.getByRole('dialog', { name: 'Add an administrator' });

    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('This is required').first().waitFor();
    await form.getByLabel('Account').fill('taken');
    await form.getByLabel('Name').fill('Twice');
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('.el-alert--error').waitFor();
    await form.getByLabel('Account').fill('free');
    await form.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('row', { name: 'Twice' }).waitFor();
  });

  browserTest('takes a message away when its field is right, by its rule or after a refusal', async () => {
    const { page, expects } = await desk.open({ path });
    expects('422 POST /adminapi/system/admin/add');
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const form = page.getByRole('dialog', { name: 'Add an administrator' });
    const faults = form.locator('.el-form-item.is-error');
    const count = async (wanted: number) => {
      await faults.nth(wanted).waitFor({ state: 'detached' });
      expect(await faults.count()).toBe(wanted);
    };
    await form.getByRole('button', { name: 'Save' }).click();
    await faults.nth(2).waitFor();

    await form.getByLabel('Name').fill('Newcomer');
    await count(2);
    await form.getByLabel('Account').fill('Not so');
    await form.locator('[data-path=account]').getByText('The format is not right').waitFor();
    await form.getByLabel('Account').fill('newcomer');
    await count(1);
    await form.getByLabel('Password').fill('newcomer');
    await count(0);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[data-path=password].is-error').waitFor();
    await form.getByRole('alert').first().waitFor();
    await form.getByLabel('Password').fill('newcomer of today');
    await count(0);

    await form.getByRole('alert').first().waitFor({ state: 'detached' });
    expect(await form.getByRole('alert').count()).toBe(0);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'Newcomer' }).waitFor();
  });

  browserTest('changes a record in a form', async () => {
    await addAdmin('before');
    const { page } = await desk.open({ path });

    await page.getByRole('button', { name: 'Edit before' }).click();
    const form = page.getByRole('dialog', { name: /before/ });
    await form.getByLabel('Name').fill('After');
    await page.keyboard.press('Control+S');

    await page.getByRole('row', { name: /before After/ }).waitFor();
  });

  browserTest('opens the form of the record that was chosen last', async () => {
    const ids = [await addAdmin('ann'), await addAdmin('bob')];
    const { page } = await desk.open({ path });
    await page.getByRole('row', { name: 'ann' }).waitFor();
    const [answerAnn, answerBob] = await Promise.all(
      ids.map((id) => holdAnswer(page, new RegExp(`admin/detail\\?id=${id}`))),
    );
    const form = page.getByRole('dialog', { name: /Edit/ });

    await page.getByRole('button', { name: 'Edit ann' }).press('Enter');
    await page.locator('#content .el-loading-mask').waitFor();
    await page.getByRole('button', { name: 'Edit bob' }).press('Enter');
    await answerAnn?.();
    expect(await form.count()).toBe(0);
    await answerBob?.();

    await form.waitFor();
    expect(await form.getAttribute('aria-label')).toContain('bob');
    expect(await form.getByLabel('Name').inputValue()).toBe('bob');
  });

  browserTest('shows the record that was opened last', async () => {
    const id = await addAdmin('early');
    await addAdmin('later');
    const { page } = await desk.open({ path });
    const answerFirst = await holdAnswer(page, new RegExp(`admin/detail\\?id=${id}`));
    const detail = page.locator('.el-drawer').filter({ visible: true });

    await page.getByRole('row', { name: 'early' }).getByText('early').first().click();
    await detail.getByRole('status', { name: 'Loading' }).waitFor();
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: 'later' }).getByText('later').first().click();
    await detail.getByText('later').nth(1).waitFor();
    await answerFirst();

    expect(await detail.getByText('early').count()).toBe(0);
  });

  browserTest('gives each record an address, for another tab, a refresh and the way back', async () => {
    const id = await addAdmin('linked', 'Linked');
    const { page } = await desk.open({ path: `${path}?account=linked` });
    const link = page.getByRole('row', { name: 'Linked' }).getByRole('link', { name: 'linked' });
    const dialog = (of: Page) => of.getByRole('dialog', { name: /linked/i });

    const opening = page.context().waitForEvent('page');
    await link.click({ modifiers: ['Control'] });
    const other = await opening;
    await dialog(other).getByText('Linked').first().waitFor();
    expect(new URL(other.url()).hash).toBe(`#detail/${id}`);
    expect(await dialog(page).count()).toBe(0);

    await link.click();
    await dialog(page).getByRole('button', { name: /^Edit/ }).click();
    await dialog(page).getByLabel('Name').waitFor();
    await page.reload();
    await dialog(page).getByLabel('Name').waitFor();
    await page.goBack();
    await dialog(page).getByRole('button', { name: /^Edit/ }).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(page.url()).toBe(`${desk.url}/console/${path}?account=linked`);
  });

  browserTest(
    'shows by its address a record that its list does not show, and none that is gone',
    async () => {
      const id = await addAdmin('hidden', 'Hidden');
      const { page, expects } = await desk.open({ path: `${path}?account=root#detail/${id}` });
      const dialog = page.getByRole('dialog', { name: /hidden/i });
      await dialog.getByText('Hidden').first().waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'hidden' });
      expect(new URL(page.url()).hash).toBe('');

      expects('404 GET /adminapi/system/admin/detail');
      await page.goto(`${desk.url}/console/${path}#edit/01J0000000000000000000000A`);
      await page.getByText('There is no such administrator').waitFor();
      await page.waitForURL((url) => url.hash === '');
    },
  );

  browserTest('asks before the way back loses input', async () => {
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    await page.waitForURL((url) => url.hash === '#add');
    await page.getByRole('dialog').getByLabel('Account').fill('draft');

    await page.goBack();
    await page.getByRole('button', { name: 'Stay' }).click();

    expect(await page.getByRole('dialog').getByLabel('Account').inputValue()).toBe('draft');
    await page.waitForURL((url) => url.hash === '#add');
  });

  browserTest('asks before a form with input is left', async () => {
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const form = page.getByRole('dialog', { name: 'Add an administrator' });
    await form.getByLabel('Name').fill('Half');

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stay' }).click();

    expect(await form.getByLabel('Name').inputValue()).toBe('Half');
  });

  browserTest('deletes only after a question', async () => {
    await addAdmin('leaving');
    const { page } = await desk.open({ path });
    const row = page.getByRole('row', { name: 'leaving' });
    const ask = async (answer: string) => {
      await page.getByRole('button', { name: 'More actions for leaving' }).click();
      await page.getByRole('menuitem', { name: /^Delete/ }).click();
      const question = page.getByRole('dialog', { name: /Delete/ });
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'hidden' });
    };

    await ask('Cancel');
    expect(await row.count()).toBe(1);
    await ask('Delete an administrator');

    await row.waitFor({ state: 'detached' });
  });

  browserTest('keeps an answer that is shown once, until it is closed by its button', async () => {
    const { page } = await desk.open({ path });
    await page.route('**/console/description.json', async (route) => {
      const response = await route.fetch();
      const json = z.parse(described, await response.json());
      const action = json.pages
        .find((each) => each.path === path)
        ?.actions.find(({ name }) => name === 'add');
      action?.data.push({
        name: 'code',
        label: { en: 'Code' },
        type: 'text',
        required: false,
        nullable: true,
      });
      await route.fulfill({ response, json });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an administrator' });
    await dialog.getByLabel('Account').fill('answered');
    await dialog.getByLabel('Name').fill('Answered');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const answer = dialog.filter({ hasText: 'Code' });
    await answer.waitFor();

    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await answer.count()).toBe(1);
    await answer.getByRole('button', { name: 'Close', exact: true }).click();

    await answer.waitFor({ state: 'detached' });
  });

  browserTest('exports what the filter shows, with formulas defused', async () => {
    await addAdmin('export1', '=1+1');
    const { page } = await desk.open({ path: `${path}?account=export1` });
    await page.getByRole('row', { name: 'export1' }).waitFor();
    const download = page.waitForEvent('download');

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'CSV file' }).click();

    const text = readFileSync(await (await download).path(), 'utf8');
    const [head = '', row = '', ...rest] = text.split('\r\n');
    expect(head.startsWith('\uFEFF')).toBe(true);
    expect(head).toContain('Account,Name');
    expect(row).toContain("export1,'=1+1");
    expect(rest).toEqual(['']);
  });
});

describe('a list with a cursor', () => {
  browserTest('goes back through its pages, after a reload too', async () => {
    for (let number = 0; number < 45; number += 1) {
      const article = { title: `Article ${number}.`, category: 'news', content: '<p>Text</p>' };
      await desk.call('article/article/add', article);
    }
    const { page } = await desk.open({ path: 'article/article' });
    const see = (title: string) => page.getByRole('row', { name: title }).waitFor();
    const go = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await see('Article 44.');
    await go('Next');
    await see('Article 24.');
    await go('Next');
    await see('Article 4.');
    await page.reload();
    await see('Article 4.');
    await go('Previous');
    await see('Article 24.');
    await go('Previous');
    await see('Article 44.');

    expect(new URL(page.url()).search).toBe('');
  });
});
