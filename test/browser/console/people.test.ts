import { beforeAll, describe, expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import * as z from 'zod/mini';
import { projectRoot } from '../../support/local-server.ts';
import { runService } from '../../support/run-service.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// What the pages of administrators and users do besides the parts of a generated page.

const desk = useDesk();
const admins = 'system/admin';
const users = 'user-center/user';
const password = 'a long password';
const added = z.object({ id: z.string() });

async function addAdmin(account: string): Promise<string> {
  const admin = await desk.call('system/admin/add', { account, name: account, password });
  return z.parse(added, admin).id;
}
const readAdmin = (id: string) => desk.call(`system/admin/detail?id=${id}`);

describe('the administrators', () => {
  browserTest('are disabled by an action of the row, after a question', async () => {
    const id = await addAdmin('going');
    const { page } = await desk.open({ path: admins });
    const row = page.getByRole('row', { name: /\bgoing\b/ });
    const answer = async (button: string) => {
      await row.getByRole('button', { name: 'Disable going' }).press('Enter');
      const question = page.getByRole('dialog', { name: 'Disable' });
      await question.getByRole('button', { name: button }).click();
      await question.waitFor({ state: 'hidden' });
    };

    await answer('Cancel');
    expect(await readAdmin(id)).toMatchObject({ status: 'enabled' });
    await answer('Disable');
    await row.getByText('Disabled', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Enable going' }).waitFor();

    expect(await readAdmin(id)).toMatchObject({ status: 'disabled' });
  });

  browserTest('get a new password without their old one', async () => {
    await addAdmin('forgetful');
    const { page } = await desk.open({ path: admins });
    await page.getByRole('button', { name: 'More actions for forgetful' }).click();
    await page.getByRole('menuitem', { name: 'Set the password of an administrator' }).click();
    const form = page.getByRole('dialog', { name: /^Set the password/ });
    await form.getByLabel('Password').fill('short');
    expect(await form.locator('input').count()).toBe(1);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('At least 8 characters', { exact: true }).waitFor();
    await form.getByLabel('Password').fill('another long password');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });

    const login = { account: 'forgetful', password: 'another long password' };
    expect(await desk.client.post('/adminapi/system/login/account', login)).toMatchObject({ code: 'ok' });
  });

  browserTest('are added with their roles', async () => {
    const role = z.parse(
      added,
      await desk.call('system/role/add', { name: 'Readers', grants: ['article:read'] }),
    );
    const { page } = await desk.open({ path: admins });
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const form = page.getByRole('dialog', { name: 'Add an administrator' });
    await form.getByLabel('Account').fill('newcomer');
    await form.getByLabel('Name').fill('Newcomer');
    await form.getByLabel('Password').fill(password);
    await form.getByRole('combobox', { name: 'Roles' }).press('Enter');
    await page.getByRole('option', { name: 'Readers' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });

    expect(await desk.call('system/admin/list?account=newcomer')).toMatchObject({
      list: [{ account: 'newcomer', role_ids: [role.id], super: false }],
    });
  });

  describe('in one form with their roles', () => {
    const choose = async (form: Locator, name: string) => {
      await form.getByRole('combobox', { name: 'Roles' }).press('Enter');
      await form.page().getByRole('option', { name }).click();
      await form.page().keyboard.press('Escape');
    };
    async function openForm(account: string, role: string) {
      const id = await addAdmin(account);
      const added = await desk.call('system/role/add', { name: role, grants: ['article:read'] });
      const tab = await desk.open({ path: admins });
      await tab.page.getByRole('button', { name: `Edit ${account}` }).click();
      const form = tab.page.getByRole('dialog', { name: /^Edit an administrator/ });
      await form.getByLabel('Name').fill(`New ${account}`);
      await choose(form, role);
      return { ...tab, id, form, role: z.parse(z.object({ id: z.string() }), added).id };
    }

    browserTest('are edited by one save', async () => {
      const { page, id, form, role } = await openForm('promoted', 'Writers');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'hidden' });

      await page
        .getByRole('row', { name: /New promoted/ })
        .getByText('Writers')
        .waitFor();
      expect(await readAdmin(id)).toMatchObject({ name: 'New promoted', role_ids: [role], super: false });
      await page.getByRole('button', { name: /^More actions for .*promoted/ }).click();
      expect(await page.getByRole('menuitem', { name: /roles/ }).count()).toBe(0);
    });

    browserTest('keep everything if the roles are refused, and say so', async () => {
      const { id, form, role, expects } = await openForm('refused', 'Short-lived');
      await desk.call('system/role/delete', { id: role });
      expects('404 POST /adminapi/system/admin/roles');
      await form.getByRole('button', { name: 'Save' }).click();

      await form.getByText('Nothing is saved, because the roles were refused:').waitFor();
      expect(await readAdmin(id)).toMatchObject({ name: 'refused', role_ids: [] });
    });

    browserTest('say which half is saved if the other fails, and save it later', async () => {
      const { page, id, form, role, expects } = await openForm('halved', 'Halves');
      const edit = '**/adminapi/system/admin/edit';
      expects('failed POST /adminapi/system/admin/edit');
      await page.route(edit, (route) => route.abort());
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('The roles are saved. The other changes are not:').waitFor();
      await page
        .getByRole('row', { name: /\bhalved\b/ })
        .getByText('Halves')
        .waitFor();
      expect(await readAdmin(id)).toMatchObject({ name: 'halved', role_ids: [role] });

      await page.unroute(edit);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'hidden' });
      expect(await readAdmin(id)).toMatchObject({ name: 'New halved', role_ids: [role] });
    });

    browserTest('show no roles to oneself', async () => {
      const as = await addHolder(desk, ['system/admin:write', 'system/role:read']);
      const { page } = await desk.open({ path: admins, as });
      await page.getByRole('button', { name: `Edit ${as.account}` }).click();
      const form = page.getByRole('dialog', { name: /^Edit an administrator/ });
      await form.getByLabel('Name').waitFor();

      expect(await form.getByRole('combobox', { name: 'Roles' }).count()).toBe(0);
    });
  });

  browserTest('show their tokens, which end at a click', async () => {
    const holder = await addHolder(desk, []);
    const { account, password } = holder;
    const { data } = await desk.client.post('/adminapi/system/login/account', { account, password });
    const body = { name: 'a program', scope: 'mcp:read', days: 1, password };
    await desk.client.post('/adminapi/system/admin/token/add', body, { token: String(Object(data).token) });
    const { page } = await desk.open({ path: admins });

    await page.getByRole('link', { name: account, exact: true }).click();
    const token = page.getByRole('row', { name: 'a program' });
    await token.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click();
    await token.waitFor({ state: 'hidden' });

    expect(await desk.call(`system/admin/token/list?owner_id=${holder.id}`)).toMatchObject({ list: [] });
  });

  browserTest('show who is super, and their history', async () => {
    await addAdmin('recorded');
    const { page } = await desk.open({ path: admins });
    await page
      .getByRole('row', { name: /\broot\b/ })
      .getByText('Super', { exact: true })
      .waitFor();

    await page.getByRole('link', { name: 'recorded', exact: true }).click();
    await page.getByRole('tab', { name: 'History' }).click();

    await page.getByRole('listitem').filter({ hasText: 'Add an administrator' }).waitFor();
  });

  browserTest('offer nothing that is refused: to oneself, and of who may do more', async () => {
    const as = await addHolder(desk, ['system/admin:write']);
    const { page } = await desk.open({ path: admins, as });
    const own = page.getByRole('row', { name: new RegExp(`\\b${as.account}\\b`) });
    const root = page.getByRole('row', { name: /\broot\b/ });

    await own.getByText('You', { exact: true }).waitFor();
    await own.getByRole('button', { name: `Edit ${as.account}` }).waitFor();
    expect(await own.getByRole('button', { name: /^Disable/ }).count()).toBe(0);
    expect(await own.getByRole('button', { name: /^More actions/ }).count()).toBe(0);
    expect(await root.getByRole('button', { name: /^Disable/ }).count()).toBe(0);
    expect(await root.getByRole('button', { name: /^(Edit|More actions)/ }).count()).toBe(0);
  });
});

describe('the users', () => {
  beforeAll(async () => {
    const filled = await runService(projectRoot, { DATA_DIR: desk.server.dataDir }, 'demo');
    expect(filled).toMatchObject({ code: 0 });
  }, 180_000);

  browserTest('are searched by a whole mobile', async () => {
    const { page } = await desk.open({ path: users });
    const mobile = page.getByRole('search').getByRole('textbox', { name: 'Mobile' });
    await page.getByRole('row').nth(20).waitFor();

    await mobile.fill('142');
    await page.getByRole('alert').getByText('The format is not right').waitFor();
    expect(await page.getByRole('row').count()).toBe(21);
    await mobile.fill('19900000000');
    await page.getByText('Nothing fits these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();

    await page.getByRole('row').nth(20).waitFor();
  });

  browserTest('stay in the list while a wrong filter marks its field', async () => {
    const { page, expects } = await desk.open({ path: `${users}?mobile=142` });
    expects(...Array.from({ length: 2 }, () => '422 GET /adminapi/user-center/user/list'));
    const mobile = page.getByRole('search').getByRole('textbox', { name: 'Mobile' });
    const marked = mobile.and(page.locator('[aria-invalid=true]'));
    await marked.waitFor();
    await page.getByText('Correct the marked filter').waitFor();
    expect(await page.locator('#content .el-result').count()).toBe(0);

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row').nth(20).waitFor();
    expect(await marked.count()).toBe(0);
    await page.goBack();
    await marked.waitFor();

    expect(await page.getByRole('row').count()).toBe(21);
    const fault = String(await mobile.getAttribute('aria-describedby'));
    expect(await page.locator(`[id="${fault}"]`).textContent()).not.toBe('');
  });

  browserTest('are disabled by an action of the row, and show their terminal and history', async () => {
    const { page } = await desk.open({ path: users });
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: /^Disable/ }) })
      .first();
    const name = String(await row.getByRole('link').first().textContent()).trim();
    const user = page.getByRole('row', { name });

    await user.getByRole('button', { name: /^Disable/ }).press('Enter');
    await page.getByRole('dialog', { name: 'Disable' }).getByRole('button', { name: 'Disable' }).click();
    await user.getByText('Disabled', { exact: true }).waitFor();
    await user.getByRole('link', { name }).click();
    const detail = page.getByRole('dialog');
    await detail.getByText('Terminal of the last login').waitFor();
    await detail.getByText('Disabled', { exact: true }).waitFor();
    await detail.getByRole('tab', { name: 'History' }).click();

    await detail.getByRole('listitem').filter({ hasText: 'Enable or disable a user' }).first().waitFor();
  });
});
