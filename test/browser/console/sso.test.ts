import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type OpenIdProvider, startOpenIdProvider } from '../../doubles/openid/open-id-provider.ts';
import { browserTest } from '../chromium.ts';
import { listExceeded, measureFirstLoad } from '../first-load.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import { type Tab, useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// Invitations, and logins at a real OpenID provider.

const desk = useDesk(async () => ({ THROTTLE_FACTOR: '100' }));
const phone = { width: 390, height: 800 };
let provider: OpenIdProvider;
const setUp = (button: string) =>
  desk.call('system/setting/config/save', {
    group: 'oidc',
    values: { issuer: provider.issuer, ...provider.client, button },
  });
beforeAll(async () => {
  provider = await startOpenIdProvider(`${desk.url}/console/sso`);
});
afterAll(() => provider.stop());

/** Logs in at the provider's own form. */
async function enterAtProvider({ page }: Tab, name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/**`);
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
}

/** Says that the tab goes to the provider. Call it before. */
function mayLeave({ page, expects }: Tab): void {
  page.on('request', (request) => {
    const { host, pathname, origin } = new URL(request.url());
    if (origin === provider.issuer) expects(`to ${host}: ${request.method()} ${pathname}`);
  });
}

const hasNoSideScroll = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

browserTest('an administrator is invited, and chooses the password', async () => {
  const { page } = await desk.open({ path: 'system/admin' });
  await page.getByRole('button', { name: 'Invite an administrator' }).click();
  const form = page.getByRole('dialog', { name: 'Invite an administrator' });
  await form.getByLabel('Account').fill('newcomer');
  await form.getByLabel('Name', { exact: true }).fill('New');
  await form.getByRole('button', { name: 'Save' }).click();
  const shown = page.locator('code[title*="/console/invitation#newcomer."]');
  await shown.waitFor();
  await page.locator('.el-message').first().waitFor({ state: 'detached' });
  expect(await findBarriersInBothLocales(page, 'the link')).toEqual([]);
  const link = String(await shown.getAttribute('title'));

  const { page: invited, expects } = await desk.open({ as: null, viewport: phone });
  await invited.goto(`${desk.url}${link.slice(link.indexOf('/console/'))}`);
  await invited.locator('#invitation-password').waitFor();
  expect(await invited.locator('#invitation-account').inputValue()).toBe('newcomer');
  expect(await findBarriersInBothLocales(invited, 'invitation')).toEqual([]);
  expect(await hasNoSideScroll(invited)).toBe(true);
  expects('422 POST /adminapi/system/login/invitation');
  const choose = async (password: string) => {
    await invited.locator('#invitation-password').fill(password);
    await invited.locator('#invitation-repeat').fill(password);
    await invited.locator('#invitation-repeat').press('Enter');
  };
  await choose('password');
  await invited.getByRole('alert').first().waitFor();
  await choose('a password of my own');
  await invited.locator('#content').waitFor();

  const { page: again, expects: alsoExpects } = await desk.open({ as: null });
  alsoExpects('401 POST /adminapi/system/login/invitation');
  await again.goto(`${desk.url}${link.slice(link.indexOf('/console/'))}`);
  await again.locator('#invitation-password').fill('a password of another');
  await again.locator('#invitation-repeat').fill('a password of another');
  await again.locator('#invitation-repeat').press('Enter');
  await again.getByText('This invitation is no longer valid').waitFor();
});

browserTest('who was invited and has not come gets a new link', async () => {
  await desk.call('system/admin/invite', { account: 'waiting', name: 'Waiting' });
  const { page } = await desk.open({ path: 'system/admin' });
  const row = page.getByRole('row').filter({ hasText: 'waiting' });
  await row.getByText('No password').waitFor();
  await row.getByRole('button', { name: 'New link' }).click();
  await page.locator('code[title*="/console/invitation#waiting."]').waitFor();
});

browserTest('an account of the provider is bound, logs in, and is removed', async () => {
  await setUp('Log in with Example');
  const holder = await addHolder(desk, []);
  const tab = await desk.open({ as: holder, path: 'system/account?tab=sso', viewport: phone });
  const { page } = tab;
  mayLeave(tab);
  await page.locator('#sso-password').fill(holder.password);
  expect(await findBarriersInBothLocales(page, 'binding')).toEqual([]);
  await page.locator('#sso-password').press('Enter');
  await enterAtProvider(tab, 'mei');
  await page.getByText(provider.issuer).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/system/account');
  expect(await findBarriersInBothLocales(page, 'bound')).toEqual([]);

  const otherTab = await desk.open({ as: null, path: 'system/account?tab=logins', viewport: phone });
  const { page: other } = otherTab;
  mayLeave(otherTab);
  const button = other.getByRole('button', { name: 'Log in with Example' });
  await button.waitFor();
  expect(await findBarriersInBothLocales(other, 'login')).toEqual([]);
  expect(await hasNoSideScroll(other)).toBe(true);
  await button.focus();
  await other.keyboard.press('Enter');
  await enterAtProvider(otherTab, 'mei');
  await other.locator('#content').waitFor();
  expect(other.url()).toContain('/console/system/account?tab=logins');
  expect(other.url()).not.toContain('code=');

  await page.locator('#sso-password').fill(holder.password);
  await page.locator('#sso-password').press('Enter');
  // Every login has ended.
  await page.waitForURL(/\/console\/login/);
});

browserTest('an account that is unknown, and a callback that was not begun here, are refused', async () => {
  await setUp('');
  const tab = await desk.open({ as: null, viewport: phone });
  const { page, expects } = tab;
  mayLeave(tab);
  expects('401 POST /adminapi/system/login/sso');
  await page.getByRole('button', { name: 'Log in with single sign-on' }).click();
  await enterAtProvider(tab, 'stranger');
  await page.getByText('belongs to no administrator').waitFor();
  expect(await findBarriersInBothLocales(page, 'refused')).toEqual([]);

  const { page: other } = await desk.open({ as: null });
  await other.goto(`${desk.url}/console/sso?code=stolen&state=stolen`);
  await other.getByText('was not begun in this tab').waitFor();
  expect(new URL(other.url()).search).toBe('');
  await other.getByRole('button', { name: 'To the login page' }).click();
  await other.locator('#login-account').waitFor();
});

browserTest('a login page with the button stays small', async () => {
  await setUp('');
  const load = await measureFirstLoad(desk.browser, desk.url, {
    account: 'root',
    password: 'correct horse battery',
  }).catch((error) => error);
  expect(load).toMatchObject({ login: { requests: expect.any(Array) } });
  expect(listExceeded(load)).toEqual([]);
});
