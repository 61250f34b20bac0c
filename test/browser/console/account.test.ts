import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { administrator } from '../../support/administrator.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';
import { logIn, untilLoaded } from './log-in.ts';

// One's own account.

const desk = useDesk();

describe('an API token', () => {
  browserTest('is added in a form and shown once, until the operator has stored it', async () => {
    const { page, expects } = await desk.open({ path: 'system/account' });
    await page.getByRole('button', { name: 'Add a token' }).click();
    const form = page.getByRole('dialog', { name: 'Add an API token' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('This is required').first().waitFor();
    await form.getByLabel('Name').fill('a program');
    await form.getByLabel('Your password').fill('a wrong guess');
    expects('422 POST /adminapi/system/admin/token/add');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Your current password is needed').first().waitFor();
    await form.getByLabel('Your password').fill(administrator.password);
    await form.getByRole('button', { name: 'Save' }).click();

    const shown = page.getByRole('dialog', { name: 'Token' });
    const token = String(await shown.locator('code').textContent());
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: 'a program' }).waitFor();

    // The empty message is refused, the token is not.
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${desk.server.url}/mcp/service`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(400);
    await page.getByText(token).waitFor({ state: 'hidden' });
  });

  browserTest('carries only the folders that are chosen', async () => {
    const { page } = await desk.open({ path: 'system/account' });
    await page.getByRole('button', { name: 'Add a token' }).click();
    const form = page.getByRole('dialog', { name: 'Add an API token' });
    await form.getByLabel('Name').fill('a part');
    // Its placeholder lies over the field.
    await form.getByLabel('Only these folders').press('Enter');
    await page.getByRole('option', { name: 'System › Files' }).click();
    await page.keyboard.press('Escape');
    await form.getByLabel('Your password').fill(administrator.password);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/token.png` });
    await form.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog', { name: 'Token' })
      .getByRole('button', { name: 'I have stored it' })
      .click();

    await page.getByRole('row', { name: 'a part' }).getByText('1 folder').waitFor();
    const { list } = Object(await desk.call('system/admin/token/list'));
    expect(list[0]).toMatchObject({ name: 'a part', grants: ['system/file:write'] });
  });

  browserTest('is not added if the form is left', async () => {
    const { page } = await desk.open({ path: 'system/account' });
    await page.getByRole('button', { name: 'Add a token' }).click();
    const form = page.getByRole('dialog', { name: 'Add an API token' });
    await form.getByLabel('Name').fill('never');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await form.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Add a token' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('');
    expect(JSON.stringify(await desk.call('system/admin/token/list'))).not.toContain('never');
  });
});

describe('a password', () => {
  async function change(page: Page, old: string): Promise<void> {
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#account-old_password').fill(old);
    await page.locator('#account-password').fill('another password');
    await page.locator('#account-repeat').fill('another password');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
  }

  browserTest('that is changed leaves nothing to the next administrator at the same tab', async () => {
    const holder = await addHolder(desk, ['system/file:write', 'system/upload:write']);
    const { page } = await desk.open({ as: holder, path: 'system/file' });
    await untilLoaded(page);
    await page
      .locator('#content input[type=file]')
      .setInputFiles({ name: 'private.png', mimeType: 'image/png', buffer: validFiles.png });
    await page.getByText('1 uploaded').waitFor();

    await page.locator('.shell-side').getByRole('link', { name: 'My account' }).click();
    await change(page, holder.password);
    await page.locator('#login-account').waitFor();
    await logIn(page, administrator);

    await untilLoaded(page);
    expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
  });

  browserTest.each([
    ['ends the tokens', false],
    ['keeps the tokens if the box is ticked', true],
  ])('that is changed %s', async (_title, isKept) => {
    const holder = await addHolder(desk, []);
    const { account, password } = holder;
    const login = async (secret: string) =>
      String(
        Object((await desk.client.post('/adminapi/system/login/account', { account, password: secret })).data)
          .token,
      );
    const token = await login(password);
    const body = { name: 'a program', scope: 'mcp:read', days: 1, password };
    await desk.client.post('/adminapi/system/admin/token/add', body, { token });
    const { page } = await desk.open({ as: holder, path: 'system/account' });
    await untilLoaded(page);
    await page.getByRole('tab', { name: 'Password' }).click();
    if (isKept) await page.getByText('Keep my connections and tokens').click();

    await change(page, password);
    await page.locator('#login-account').waitFor();

    const { data } = await desk.client.get('/adminapi/system/admin/token/list', {
      token: await login('another password'),
    });
    expect(Object(data).list).toHaveLength(isKept ? 1 : 0);
  });

  browserTest('is not changed without an answer, and the form says so', async () => {
    const { page, expects } = await desk.open({ path: 'system/account' });
    await untilLoaded(page);
    expects('failed POST /adminapi/system/admin/password');

    await page.context().setOffline(true);
    await change(page, administrator.password);

    await page.locator('.password').getByText('The service cannot be reached').waitFor();
  });
});
