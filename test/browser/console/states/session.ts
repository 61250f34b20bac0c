import type { Page } from 'playwright-core';
import { administrator } from '../../../support/administrator.ts';
import { addHolder, readToken } from '../holders.ts';
import { logIn } from '../log-in.ts';
import { refuseList, type States, untilShown } from './state.ts';

async function tryPassword(page: Page): Promise<void> {
  await page.locator('#login-account').fill(administrator.account);
  await page.locator('#login-password').fill('wrong password');
  await page.getByRole('button', { name: 'Log in' }).click();
}

const setCaptcha = (captcha_enabled: boolean) => ({ group: 'login', values: { captcha_enabled } });

export const session: States = {
  'a wrong password': {
    as: null,
    async open({ page, expects }) {
      expects('401 POST /adminapi/system/login/account');
      await tryPassword(page);
      await page.getByRole('alert').getByText('Wrong account or password').waitFor();
      return undefined;
    },
  },
  'too many attempts': {
    as: null,
    async open({ page, expects }) {
      expects('429 POST /adminapi/system/login/account');
      const json = { code: 'throttle.exceeded', message: 'Too many requests', data: null, errors: [] };
      const headers = { 'retry-after': '60' };
      await page.route('**/login/account', (route) => route.fulfill({ status: 429, headers, json }));
      await tryPassword(page);
      await page.getByRole('alert').first().waitFor();
      return undefined;
    },
  },
  'a captcha that is solved': {
    as: null,
    async open({ page }, desk) {
      await desk.call('system/setting/config/save', setCaptcha(true));
      await page.route('**/checkCaptcha', () => {});
      await page.reload();
      const asked = page.waitForRequest('**/checkCaptcha');
      await tryPassword(page);
      await asked;
      await desk.call('system/setting/config/save', setCaptcha(false));
      return undefined;
    },
  },
  'a login that has ended': {
    path: 'system/role',
    as: ['system/role:write'],
    async open({ page, expects }, desk) {
      // The list is asked for in the other locale.
      expects('401 POST /adminapi/system/role/add', '401 GET /adminapi/system/role/list');
      await page.getByRole('button', { name: 'Add a role' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Kept');
      await desk.client.post('/adminapi/system/login/logout', {}, { token: await readToken(page) });
      await page.getByRole('button', { name: 'Save' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Your login has ended' }));
    },
  },
  'a disabled administrator': {
    as: null,
    async open({ page, expects }, desk) {
      const holder = await addHolder(desk, ['system/audit:read']);
      await logIn(page, holder);
      // What the start page asks for is answered by then.
      await page.locator('.entries li').first().waitFor();
      expects('401 GET /adminapi/system/admin/info');
      await desk.call('system/admin/edit', { id: holder.id, status: 'disabled' });
      await page.reload();
      await page.getByText('This account was disabled or deleted.').waitFor();
      return undefined;
    },
  },
  'a page that may not be seen': {
    path: 'system/role',
    as: ['system/audit:read'],
    async open({ page }) {
      await page.getByText('This page does not exist, or you may not see it.').waitFor();
      return undefined;
    },
  },
  'a right that was lost': {
    path: 'system/role',
    open: (tab) => refuseList(tab, 'system/role/list', 403, 'permission.denied'),
  },
  'a page that does not exist': {
    async open({ page }, desk) {
      await page.goto(`${desk.url}/console/system/nothing`);
      await page.getByRole('alert').getByText('Not found').waitFor();
      return page.locator('#content');
    },
  },
  'a part that cannot be loaded': {
    async open({ page, expects }) {
      const isPart = /\/assets\/roles-[^/]+\.js/;
      await page.route(isPart, (route) => route.abort('failed'));
      page.on('requestfailed', (request) => {
        if (isPart.test(request.url())) expects(`failed GET ${new URL(request.url()).pathname}`);
      });
      page.on('console', (message) => {
        if (/Failed to fetch dynamically/.test(message.text())) expects(message.text());
      });
      await page.locator('.shell-side').getByRole('link', { name: 'Roles' }).click();
      await page.locator('#content').getByText('A part of the console could not be loaded').waitFor();
      return page.locator('#content');
    },
  },
  'a connection that is lost': {
    path: 'system/role',
    as: ['system/role:read'],
    async open({ page, expects }) {
      page.on('requestfailed', (request) => {
        const isEnded = request.failure()?.errorText === 'net::ERR_ABORTED';
        if (!isEnded) expects(`failed ${request.method()} ${new URL(request.url()).pathname}`);
      });
      const refresh = await untilShown(page.getByRole('button', { name: 'Refresh' }));
      await page.context().setOffline(true);
      await refresh.click();
      await page.locator('.offline').waitFor();
      return undefined;
    },
  },
  'a new version of the console': {
    path: 'system/role',
    as: ['system/role:read', 'system/audit:read'],
    async open({ page }) {
      await page.getByRole('heading', { name: 'Roles' }).waitFor();
      await page.route(/\/console\/$/, async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const entry = /\/console\/assets\/first-[^"]+\.js/;
        await route.fulfill({ response, body: text.replace(entry, '/console/assets/newer.js') });
      });
      await page.clock.install();
      await page.clock.fastForward('06:00');
      await page.locator('.shell-side').getByRole('link', { name: 'Audit log' }).click();
      await page.getByText('There is a new version of the console.').waitFor();
      await page.clock.resume();
      return undefined;
    },
  },
  'Ctrl+K': {
    async open({ page }) {
      await page.keyboard.press('Control+K');
      await page.getByRole('option').first().waitFor();
      return page.getByRole('dialog');
    },
  },
  'Ctrl+K with results': {
    async open({ page }) {
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Find anything' }).fill('root');
      await page.getByRole('option', { name: /^root/ }).first().waitFor();
      return page.getByRole('dialog');
    },
  },
  'Ctrl+K without results': {
    async open({ page }) {
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Find anything' }).fill('no such thing');
      await page.getByText('Nothing found.').waitFor();
      return page.getByRole('dialog');
    },
  },
  'help on keys': {
    async open({ page }) {
      await page.keyboard.press('?');
      return untilShown(page.getByRole('dialog'));
    },
  },
};
