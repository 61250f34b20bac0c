import type { Page } from 'playwright-core';
import systemModule from '#modules/System/module.ts';
import { type States, untilShown } from './state.ts';

const groups = (systemModule.configs ?? []).map(({ name }) => name);

async function test(page: Page, json: object) {
  await page.route('**/setting/config/test', (route) =>
    route.fulfill({ json: { code: 'ok', message: '', errors: [], ...json } }),
  );
  await page.getByRole('button', { name: 'Test this connection' }).click();
  return untilShown(page.getByRole('tabpanel').filter({ visible: true }).locator('[role=status]').first());
}

const consent = (page: Page, redirect_uri: string) =>
  page.evaluate(`(async () => {
    const { resource } = await (await fetch('/.well-known/oauth-protected-resource')).json();
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer ' + sessionStorage.getItem('console.token'),
    };
    const body = JSON.stringify({ name: 'Desktop', redirect_uris: ['https://client.test/back'] });
    const added = await fetch('/adminapi/system/oauth/client/add', { method: 'POST', headers, body });
    const query = new URLSearchParams({
      client_id: (await added.json()).data.id,
      ...{ response_type: 'code', redirect_uri: '${redirect_uri}', resource, scope: 'mcp:read mcp:write' },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    });
    return location.origin + '/console/oauth/consent?' + query;
  })()`);

export const services: States = {
  ...Object.fromEntries(
    groups.map((group) => [
      `settings of ${group}`,
      {
        path: `system/setting/config?group=${group}`,
        async open({ page }) {
          await page.locator(`[id^="${group}-"]`).first().waitFor({ state: 'attached' });
          return untilShown(page.getByRole('tabpanel').filter({ visible: true }).first());
        },
      } satisfies States[string],
    ]),
  ),
  'a connection that works': {
    path: 'system/setting/config?group=ai',
    open: ({ page }) => test(page, { data: { ok: true, step: null, detail: null } }),
  },
  'a connection that does not work': {
    path: 'system/setting/config?group=ai',
    open: ({ page }) => test(page, { data: { ok: false, step: 'ask', detail: 'ENOTFOUND' } }),
  },
  'a changed setting': {
    path: 'system/setting/config?group=basics',
    async open({ page }) {
      await page.locator('#basics-site_name').fill('A draft');
      await page.getByText('Changed', { exact: true }).first().waitFor();
      return page.getByRole('tabpanel').filter({ visible: true }).first();
    },
  },
  'a new token': {
    path: 'system/account',
    async open({ page }) {
      await page.getByRole('button', { name: 'Add a token' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Add an API token' }));
    },
  },
  'a token that is shown once': {
    path: 'system/account',
    async open({ page }) {
      const json = { code: 'ok', message: '', errors: [], data: { token: 'a'.repeat(60), id: 'x' } };
      await page.route('**/admin/token/add', (route) => route.fulfill({ json }));
      await page.getByRole('button', { name: 'Add a token' }).click();
      const form = page.getByRole('dialog', { name: 'Add an API token' });
      await form.getByLabel('Name').fill('a program');
      await form.getByLabel('Password').fill('a long password');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The token is shown only now').waitFor();
      return page.locator('.el-dialog').filter({ visible: true });
    },
  },
  'an own new password': {
    path: 'system/account?tab=password',
    async open({ page }) {
      return untilShown(page.getByRole('tabpanel').filter({ visible: true }));
    },
  },
  'own logins': {
    path: 'system/account?tab=logins',
    async open({ page }) {
      return untilShown(page.getByRole('tabpanel').filter({ visible: true }));
    },
  },
  'an entry of the audit log': {
    path: 'system/audit',
    async open({ page }) {
      await page.locator('.el-table__row a').first().click();
      return untilShown(page.getByRole('dialog'));
    },
  },
  'a new OAuth client': {
    path: 'system/oauth/client',
    async open({ page }) {
      await page.getByRole('button', { name: 'Register an OAuth client' }).click();
      return untilShown(page.getByRole('dialog'));
    },
  },
  'consent to a client': {
    async open({ page }) {
      await page.goto(String(await consent(page, 'https://client.test/back')));
      await page.getByRole('button', { name: 'Connect' }).waitFor();
      return undefined;
    },
  },
  'a client that cannot be connected': {
    async open({ page, expects }) {
      expects('400 GET /adminapi/system/oauth/request');
      await page.goto(String(await consent(page, 'https://elsewhere.test/back')));
      await page.getByRole('alert').getByText('This cannot be connected').waitFor();
      return undefined;
    },
  },
  'the assistant without a key': {
    path: 'system/assistant',
    async open({ page }) {
      await page.getByRole('link', { name: 'Open its settings' }).waitFor();
      return page.locator('#content');
    },
  },
};
