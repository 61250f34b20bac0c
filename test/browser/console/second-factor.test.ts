import { beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import { createApp } from '../../e2e/second-factor-fixture.ts';
import { browserTest } from '../chromium.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// An administrator sets up a second factor, and logs in with it.

const desk = useDesk(async () => ({ THROTTLE_FACTOR: '100' }));
const phone = { width: 390, height: 800 };
const setMode = (two_factor: string) =>
  desk.call('system/setting/config/save', { group: 'login', values: { two_factor } });
beforeAll(() => setMode('optional'));

/** What a phone reads from the drawn QR code. */
async function readQrCode(page: Page): Promise<string> {
  const drawn = page.getByRole('img', { name: 'QR code for an authenticator app' });
  const [, , size] = String(await drawn.getAttribute('viewBox'))
    .split(' ')
    .map(Number);
  const path = String(await drawn.locator('path').getAttribute('d'));
  const [scale, width = 0] = [4, Number(size) * 4];
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g)) {
    for (let at = 0; at < scale * scale; at += 1) {
      const [column, row] = [Number(x) * scale + (at % scale), Number(y) * scale + Math.floor(at / scale)];
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return decodeQr({ width, height: width, data });
}

const readSecret = async (page: Page): Promise<string> => {
  const uri = new URL(await readQrCode(page));
  const secret = String(uri.searchParams.get('secret'));
  expect((await page.locator('code.secret').textContent())?.replaceAll(' ', '')).toBe(secret);
  return secret;
};

const enterCode = async (page: Page, code: string) => {
  await page.locator('#factor-code').fill(code);
  await page.locator('#factor-code').press('Enter');
};

async function enterPassword(page: Page, { account, password }: { account: string; password: string }) {
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(password);
  await page.locator('#login-password').press('Enter');
}

browserTest('is set up in the own account, and asked for at the next login', async () => {
  const holder = await addHolder(desk, []);
  const { page, expects } = await desk.open({
    as: holder,
    path: 'system/account?tab=factor',
    viewport: phone,
  });
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  expects('422 POST /adminapi/system/admin/factor/begin', '422 POST /adminapi/system/admin/factor/confirm');
  await page.locator('#factor-password').fill('a wrong guess');
  await page.locator('#factor-password').press('Enter');
  await page.getByText('Your current password is needed').waitFor();
  await page.locator('#factor-password').fill(holder.password);
  await page.locator('#factor-password').press('Enter');
  const app = createApp(await readSecret(page));
  await enterCode(page, '000000');
  await page.getByText('The code is wrong, or was used before').waitFor();
  expect(await findBarriersInBothLocales(page, 'set-up')).toEqual([]);

  await enterCode(page, app(-1));
  const codes = page.locator('.recovery-codes li');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  expect(await findBarriersInBothLocales(page, 'recovery codes')).toEqual([]);
  const [recovery = ''] = await codes.allTextContents();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
  await codes.first().waitFor({ state: 'hidden' });
  expect(await findBarriersInBothLocales(page, 'a factor')).toEqual([]);

  const { page: other, expects: otherExpects } = await desk.open({ as: null, viewport: phone });
  otherExpects('401 POST /adminapi/system/login/second');
  await enterPassword(other, holder);
  await enterCode(other, recovery.replaceAll('-', 'x'));
  await other.getByText('The code is wrong or no longer valid').waitFor();
  await enterCode(other, recovery);
  await other.locator('#content').waitFor();

  const { page: third } = await desk.open({ as: null, viewport: phone });
  await enterPassword(third, holder);
  await third.locator('#factor-code').waitFor();
  expect(await findBarriersInBothLocales(third, 'second step')).toEqual([]);
  await enterCode(third, app(1));
  await third.locator('#content').waitFor();
});

browserTest('is set up at the login if the settings require it', async () => {
  const holder = await addHolder(desk, []);
  await setMode('required');
  const { page } = await desk.open({ as: null, viewport: phone });
  await enterPassword(page, holder);
  const app = createApp(await readSecret(page));
  expect(await findBarriersInBothLocales(page, 'set-up at the login')).toEqual([]);
  await enterCode(page, app());
  await page.locator('.recovery-codes li').first().waitFor();
  await setMode('optional');
  await page.locator('.el-button--primary').click();
  await page.locator('#content').waitFor();
});

browserTest('that took too long begins again with the password', async () => {
  const holder = await addHolder(desk, []);
  await setMode('required');
  const { page, expects } = await desk.open({ as: null });
  await enterPassword(page, holder);
  const app = createApp(await readSecret(page));
  await setMode('optional');
  expects('401 POST /adminapi/system/login/confirm');
  await desk.call('system/admin/edit', { id: holder.id, status: 'disabled' });
  await enterCode(page, app());
  await page.getByText('This login took too long').waitFor();
  await page.locator('#login-password').waitFor();
});

browserTest('is asked for again before rights are given, and the request goes on', async () => {
  const holder = await addHolder(desk, ['system/role:write']);
  const own = await desk.logIn(holder.account, holder.password);
  const factor = '/adminapi/system/admin/factor';
  const { secret, setup } = (await own.post(`${factor}/begin`, { password: holder.password })).data;
  const app = createApp(secret);
  await own.post(`${factor}/confirm`, { setup, code: app(-1) });

  const { page, expects } = await desk.open({ as: null });
  await page.evaluate(`sessionStorage.setItem('console.token', '${own.token}')`);
  await page.goto(`${desk.url}/console/system/role`);
  await page.getByRole('button', { name: 'Add a role' }).click();
  const form = page.getByRole('dialog', { name: 'Add a role' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Guarded');
  expects('403 POST /adminapi/system/role/add', '422 POST /adminapi/system/login/factor');
  await form.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await enterCode(page, '000000');
  await question.getByText('The code is wrong, or was used before').waitFor();
  expect(await findBarriersInBothLocales(page, 'recent factor', question)).toEqual([]);
  await enterCode(page, app());
  await page.getByRole('row').filter({ hasText: 'Guarded' }).waitFor();
  await page.locator('#factor-code').waitFor({ state: 'hidden' });
});
