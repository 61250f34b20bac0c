import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeEach, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { administrator } from '../../support/administrator.ts';
import { type SwitchableStores, startSwitchableStores } from '../../support/stores.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { holdAnswer } from './hold.ts';
import { addHolder, readToken } from './holders.ts';
import { logIn, untilLoaded } from './log-in.ts';

// Logins, their end, and what an operator sees if the service refuses or does not answer.

// Thirty attempts a minute by an account.
const desk = useDesk(
  async () => {
    stores = await startSwitchableStores();
    return { ...stores.environment, THROTTLE_FACTOR: '6' };
  },
  () => stores?.stop(),
);
let stores: SwitchableStores;
beforeEach(() => {
  stores.database.setMode('pass');
  stores.cache.setMode('pass');
});

async function tryPassword(page: Page, account: string, password: string): Promise<void> {
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Guesses at an account from several addresses, until the service asks for the captcha. */
async function press(account: string): Promise<void> {
  const { hostname, port } = new URL(desk.url);
  const path = '/adminapi/system/login/account';
  const headers = { 'content-type': 'application/json' };
  for (let count = 0; count < 100; count += 1) {
    const localAddress = `127.0.0.${2 + (count % 5)}`;
    const sending = request({ hostname, port, path, localAddress, headers, method: 'POST' });
    sending.end(JSON.stringify({ account, password: 'wrong' }));
    const [answer] = await once(sending, 'response');
    if (Object(await json(answer)).code === 'auth.captcha_required') return;
  }
  throw new Error('the service has not asked for the captcha');
}

const endLogin = async (page: Page) =>
  desk.client.post('/adminapi/system/login/logout', {}, { token: await readToken(page) });

/** Opens another tab of the same browser. */
async function openBeside(page: Page, path = ''): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(`${desk.url}/console/${path}`);
  return other;
}

async function renew(page: Page, { password } = administrator): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your login has ended' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByLabel('Password').press('Enter');
  await dialog.waitFor({ state: 'hidden' });
}
const log = 'GET /adminapi/system/audit/list';
const login = 'POST /adminapi/system/login/account';
const role = 'POST /adminapi/system/role/add';

describe('a login', () => {
  browserTest('says that the password is wrong, and works with the right one', async () => {
    const { page, expects } = await desk.open({ as: null });
    expects(`401 ${login}`);

    await tryPassword(page, administrator.account, 'wrong password');
    await page.getByRole('alert').getByText('Wrong account or password').waitFor();
    await logIn(page, administrator);

    await page.locator('.side-menu').getByRole('link', { name: 'Roles' }).waitFor();
  });

  browserTest('keeps the password if the service does not answer', async () => {
    const { page, expects } = await desk.open({ as: null });
    expects('failed GET /adminapi/system/login/captchaConfig');

    const isFirst = /captchaConfig/;
    await page.route(isFirst, (route) => route.abort('failed'));
    await tryPassword(page, administrator.account, administrator.password);
    await page.locator('.login-problem').getByText('The service cannot be reached').waitFor();
    await page.unroute(isFirst);
    await page.getByRole('button', { name: 'Log in' }).click();

    await page.locator('.side-menu').waitFor();
  });

  browserTest('opens the page that was asked for', async () => {
    const { page } = await desk.open({ path: 'system/role' });

    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    expect(page.url()).toBe(`${desk.url}/console/system/role`);
  });

  browserTest('shows how many seconds to wait after too many attempts', async () => {
    const { page, expects } = await desk.open({ as: null });
    expects(`429 ${login}`);
    // The refusal must last until the page has asked.
    let leftSeconds = 0;
    while (leftSeconds < 20) {
      const tried = { account: 'someone', password: 'wrong' };
      const { headers } = await desk.client.post('/adminapi/system/login/account', tried);
      leftSeconds = Number(headers.get('retry-after'));
    }

    await tryPassword(page, 'someone', 'wrong password');

    await page
      .getByRole('alert')
      .getByText(/Try again in \d+ s/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true);
  });

  browserTest('solves the captcha if the operator has switched it on', async () => {
    await desk.call('system/setting/config/save', { group: 'login', values: { captcha_enabled: true } });
    const { page } = await desk.open({ as: null });
    const solved = page.waitForResponse((response) => response.url().endsWith('/checkCaptcha'));

    await logIn(page, administrator);

    expect((await solved).status()).toBe(200);
    await desk.call('system/setting/config/save', { group: 'login', values: { captcha_enabled: false } });
  });

  browserTest('solves the captcha if others have guessed at the account, also in the dialog', async () => {
    const owner = await addHolder(desk, ['system/audit:read']);
    await press(owner.account);
    const { page, expects } = await desk.open({ as: null });
    expects(`422 ${login}`, `422 ${login}`, `401 ${log}`);

    await logIn(page, owner);
    await page.goto(`${desk.url}/console/system/audit`);
    await untilLoaded(page);
    await endLogin(page);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await renew(page, owner);

    await page.locator('.el-table__row').first().waitFor();
    expect(await page.locator('.login-problem').count()).toBe(0);
  });

  browserTest('ends by the menu, in the service too', async () => {
    const { page } = await desk.open();
    const token = await readToken(page);

    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.locator('#login-account').waitFor();

    expect((await desk.client.get('/adminapi/system/admin/info', { token })).status).toBe(401);
  });

  browserTest('that has ended is renewed in a dialog, and the form is saved without loss', async () => {
    const { page, expects } = await desk.open({ path: 'system/role' });
    expects(`401 ${role}`);
    await page.getByRole('button', { name: 'Add a role' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Kept');
    await page.evaluate("document.querySelector('#content section').id = 'same-page'");
    await endLogin(page);

    await page.getByRole('button', { name: 'Save' }).click();
    await renew(page);

    await page.locator('#same-page').getByRole('row', { name: 'Kept' }).waitFor();
  });

  browserTest('that was renewed is not asked for again by an answer that comes late', async () => {
    const { page, expects } = await desk.open({ path: 'system/audit' });
    expects(`401 ${log}`, '401 GET /adminapi/user-center/user/list');
    await untilLoaded(page);
    await endLogin(page);
    const answerLate = await holdAnswer(page, /audit\/list/);
    const refused = page.waitForRequest(/audit\/list/);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await refused;

    // A second refresh would abort the first.
    await page.locator('.shell-side').getByRole('link', { name: 'Users' }).click();
    await renew(page);
    await page.getByText('Nothing here yet').waitFor();
    const repeated = page.waitForRequest(/audit\/list/);
    await answerLate();

    await repeated;
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('tabs of one browser', () => {
  const noticeOf = (page: Page) => page.locator('.login-card').getByRole('status');

  browserTest('share a login, which is never written down', async () => {
    const { page } = await desk.open();
    const token = await readToken(page);

    const other = await page.context().newPage();
    let infos = 0;
    other.on('request', (request) => {
      infos += Number(request.url().endsWith('/adminapi/system/admin/info'));
    });
    await other.goto(`${desk.url}/console/system/role`);
    await other.getByRole('heading', { name: 'Roles' }).waitFor();

    expect(await readToken(other)).toBe(token);
    expect(infos).toBe(1);
    expect(await other.evaluate('JSON.stringify([{ ...localStorage }, document.cookie])')).not.toContain(
      token,
    );
  });

  browserTest('that wait for a login get it from the first', async () => {
    const { page } = await desk.open({ as: null });
    const other = await openBeside(page, 'system/role');
    await other.locator('#login-account').waitFor();

    await logIn(page, administrator);

    await other.getByRole('heading', { name: 'Roles' }).waitFor();
  });

  browserTest('log out together', async () => {
    const { page } = await desk.open();
    const other = await openBeside(page, 'system/role');
    await untilLoaded(other);

    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();

    await noticeOf(other).getByText('You have logged out in another tab.').waitFor();
    await page.locator('#login-account').waitFor();
    await logIn(page, administrator);
    await other.getByRole('heading', { name: 'Roles' }).waitFor();
  });

  browserTest('renew a login together', async () => {
    const { page, expects } = await desk.open({ path: 'system/role' });
    expects(`401 ${role}`);
    const other = await openBeside(page, 'system/audit');
    await untilLoaded(other);
    await page.getByRole('button', { name: 'Add a role' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Resumed');
    await endLogin(page);

    await page.getByRole('button', { name: 'Save' }).click();
    await renew(other);

    await page.getByRole('row', { name: 'Resumed' }).waitFor();
    expect(await readToken(page)).toBe(await readToken(other));
  });

  browserTest('say why a disabled administrator is logged out, also after a reload', async () => {
    const holder = await addHolder(desk, ['system/audit:read']);
    const { page, expects } = await desk.open({ as: holder, path: 'system/audit' });
    const other = await openBeside(page);
    await untilLoaded(other);
    expects('401 GET /adminapi/system/admin/info');
    await desk.call('system/admin/edit', { id: holder.id, status: 'disabled' });

    await page.reload();

    for (const each of [page, other]) {
      await noticeOf(each).getByText('This account was disabled or deleted.').waitFor();
      await each.locator('#login-account').waitFor();
    }
    expect(await readToken(page)).toBeNull();
    await logIn(other, administrator);
    await page.getByRole('button', { name: 'root' }).waitFor();
  });
});

describe('an upload', () => {
  browserTest('does not ask for the password after another request has renewed the login', async () => {
    const { page, expects } = await desk.open({ path: 'system/file' });
    expects(`401 ${log}`, '401 GET /adminapi/system/admin/list', '401 POST /adminapi/system/upload/file');
    await untilLoaded(page);
    await endLogin(page);
    const answerLate = await holdAnswer(page, /upload\/file/);
    await page
      .locator('#content input[type=file]')
      .setInputFiles({ name: 'late.png', mimeType: 'image/png', buffer: validFiles.png });
    await page.getByText('Uploading, 1 left').waitFor();

    await page.locator('.shell-side').getByRole('link', { name: 'Audit log' }).click();
    await renew(page);
    await answerLate();

    await page.getByText('1 uploaded').waitFor();
  });
});

describe('a logout', () => {
  browserTest('asks before it ends uploads, and then leaves without another question', async () => {
    const { page } = await desk.open({ path: 'system/file' });
    await untilLoaded(page);
    const token = await readToken(page);
    await holdAnswer(page, /upload\/file/);
    await page
      .locator('#content input[type=file]')
      .setInputFiles({ name: 'open.png', mimeType: 'image/png', buffer: validFiles.png });
    await page.getByText('Uploading, 1 left').waitFor();
    const choose = async (answer: string) => {
      await page.getByRole('button', { name: 'root' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      const question = page.getByRole('dialog', { name: 'Log out' });
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'hidden' });
    };

    await choose('Stay');
    expect((await desk.client.get('/adminapi/system/admin/info', { token })).status).toBe(200);
    await choose('Log out');

    await page.locator('#login-account').waitFor();
  });

  browserTest('asks before it loses input', async () => {
    const { page } = await desk.open({ path: 'system/setting/config' });
    await page.locator('#basics-site_name').fill('A draft');

    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('dialog', { name: 'Log out' }).getByRole('button', { name: 'Stay' }).click();

    expect(await page.locator('#basics-site_name').inputValue()).toBe('A draft');
  });
});

describe('an administrator with a role', () => {
  browserTest('sees the generated page that a page by hand replaces for others', async () => {
    const holder = await addHolder(desk, ['system/setting/dict/data:write']);
    const { page } = await desk.open({ as: holder, path: 'system/setting/dict/data' });

    await page.getByText('Set the filter').waitFor();
  });

  browserTest('sees the permitted pages only, and a refusal at another', async () => {
    const holder = await addHolder(desk, ['system/audit:read']);
    const { page } = await desk.open({ as: holder });
    const menu = page.locator('.shell-side .side-menu');
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();

    await page.locator('#content').getByRole('link', { name: 'Audit log' }).waitFor();
    expect(await menu.getByRole('link').allInnerTexts()).toEqual([
      'Console',
      'Home',
      'Audit log',
      'My account',
    ]);
    await page.goto(`${desk.url}/console/system/role`);
    await page.getByText('This page does not exist, or you may not see it.').waitFor();
  });

  browserTest('who loses the right is refused', async () => {
    const holder = await addHolder(desk, ['system/role:read']);
    const { page, expects } = await desk.open({ as: holder });
    expects('403 GET /adminapi/system/role/list');
    await page.locator('.shell-side').getByRole('link', { name: 'Roles' }).waitFor();
    await desk.call('system/role/edit', { id: holder.roleId, version: 1, grants: ['article:read'] });

    await page.locator('.shell-side').getByRole('link', { name: 'Roles' }).click();

    await page.getByRole('alert').getByText('You may not do this').waitFor();
  });
});

describe('the console', () => {
  browserTest('shows that a part of it cannot be loaded', async () => {
    const { page, expects } = await desk.open({ as: null });
    const isPart = /\/assets\/start-[^/]+\.js/;
    await page.route(isPart, (route) => route.abort('failed'));
    const failures: string[] = [];
    page.on('requestfailed', (request) => {
      if (isPart.test(request.url())) failures.push(`failed GET ${new URL(request.url()).pathname}`);
    });
    const failed = page.waitForRequest(isPart);

    await logIn(page, administrator);
    await page.locator('#content').getByText('A part of the console could not be loaded').waitFor();

    const url = (await failed).url();
    const reason = `TypeError: Failed to fetch dynamically imported module: ${url}`;
    // The browser may ask for it twice: to have it early, and to run it.
    expects(...failures, reason);
    await page.unroute(isPart);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
  });

  browserTest('shows that a page does not exist, and the way home', async () => {
    const { page } = await desk.open({ path: 'system/nothing' });

    await page.getByRole('alert').getByText('Not found').waitFor();
    await page.locator('#content').getByRole('link', { name: 'Home' }).click();

    await page.locator('#content h1').waitFor();
  });

  browserTest('shows that the database does not answer, and loads when it is back', async () => {
    const { page, expects } = await desk.open();
    await page.locator('#content .entries li').first().waitFor();
    await untilLoaded(page);
    expects('503 GET /adminapi/system/role/list');
    stores.database.setMode('refuse');

    await page.locator('.shell-side').getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('alert').getByText('The service is not available at the moment').waitFor();
    stores.database.setMode('pass');
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByRole('heading', { name: 'Roles' }).waitFor();
  });

  browserTest('keeps the input while the connection is lost', async () => {
    const { page, expects } = await desk.open({ path: 'system/role' });
    expects(`failed ${role}`);
    await page.getByRole('button', { name: 'Add a role' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Offline');

    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.offline').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('row', { name: 'Offline' }).waitFor();
    await page.locator('.offline').waitFor({ state: 'hidden' });
  });

  browserTest('says that the service has a new version, and loads it', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await untilLoaded(page);
    const bar = page.getByText('There is a new version of the console.');
    const entry = /\/console\/assets\/first-[^"]+\.js/;
    await page.route(/\/console\/$/, async (route) => {
      const response = await route.fetch();
      const index = (await response.text()).replace(entry, '/console/assets/newer.js');
      await (route.request().isNavigationRequest()
        ? route.fallback()
        : route.fulfill({ response, body: index }));
    });
    const menu = page.locator('.shell-side');

    await menu.getByRole('link', { name: 'Files' }).click();
    await untilLoaded(page);
    expect(await bar.count()).toBe(0);
    await page.clock.install();
    await page.clock.fastForward('06:00');
    await menu.getByRole('link', { name: 'Roles' }).click();
    await bar.waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();

    await bar.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
  });

  browserTest('remembers the locale and the theme', async () => {
    const { page } = await desk.open();
    await page.getByRole('button', { name: '切换到中文' }).click();
    await page.getByRole('button', { name: '深色主题' }).click();

    await page.reload();

    await page.locator('html.dark').waitFor();
    await page.locator('.side-menu').getByRole('link', { name: '首页' }).waitFor();
    await untilLoaded(page);
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  });
});
