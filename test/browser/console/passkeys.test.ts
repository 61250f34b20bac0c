import { beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest } from '../chromium.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// An administrator adds a passkey, and logs in with it: with the virtual authenticator of the browser.

const desk = useDesk(async () => ({ THROTTLE_FACTOR: '100' }));
const phone = { width: 390, height: 800 };
beforeAll(() =>
  desk.call('system/setting/config/save', { group: 'login', values: { two_factor: 'optional' } }),
);

/** Gives a page an authenticator that knows its person. */
async function plugIn(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    list: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

async function enterPassword(page: Page, { account, password }: { account: string; password: string }) {
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(password);
  await page.locator('#login-password').press('Enter');
}

const enterOwnPassword = async (page: Page, password: string) => {
  await page.locator('#factor-password').fill(password);
  await page.locator('#factor-password').press('Enter');
};

async function addPasskey(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await enterOwnPassword(page, password);
  await page.getByRole('button', { name: 'I have stored them' }).click();
}

// A check for barriers takes the virtual authenticator away, so it is made on pages without one.

browserTest('is added in the own account, logs in, and is removed', async () => {
  const holder = await addHolder(desk, []);
  const path = 'system/account?tab=factor';
  const { page: other, expects } = await desk.open({ as: holder, path, viewport: phone });
  await other.getByRole('button', { name: 'Add a passkey' }).click();
  expects('422 POST /adminapi/system/admin/factor/begin');
  await enterOwnPassword(other, 'a wrong guess');
  await other.getByText('Your current password is needed').waitFor();
  expect(await findBarriersInBothLocales(other, 'add a passkey')).toEqual([]);

  const { page } = await desk.open({ as: null, viewport: phone });
  await enterPassword(page, holder);
  await page.locator('#content').waitFor();
  await page.goto(`${desk.url}/console/${path}`);
  const authenticator = await plugIn(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.locator('#passkey-name').fill('Laptop');
  await enterOwnPassword(page, holder.password);
  const codes = page.locator('.recovery-codes li');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByText('Laptop').waitFor();
  expect(await authenticator.list()).toMatchObject([{ rpId: 'localhost' }]);

  // In the same browser, whose authenticator holds the passkey.
  await page.evaluate('sessionStorage.clear()');
  await page.goto(`${desk.url}/console/`);
  await enterPassword(page, holder);
  const use = page.getByRole('button', { name: 'Use a passkey' });
  await use.waitFor();
  await authenticator.setVerified(false);
  await use.click();
  await page.getByText('No passkey was used').waitFor();
  await authenticator.setVerified(true);
  await use.press('Enter');
  await page.locator('#content').waitFor();

  await page.goto(`${desk.url}/console/${path}`);
  await page.getByRole('button', { name: 'Remove “Laptop”' }).click();
  await page.locator('#factor-password').fill(holder.password);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('You have no second factor').waitFor();
  await page.getByText('Laptop').waitFor({ state: 'hidden' });
});

browserTest('is asked for before rights are given, and the request goes on', async () => {
  const holder = await addHolder(desk, ['system/role:write']);
  const { page, expects } = await desk.open({ as: holder, path: 'system/account?tab=factor' });
  await plugIn(page);
  await addPasskey(page, holder.password);

  const ask = async (asked: Page, name: string) => {
    await asked.goto(`${desk.url}/console/system/role`);
    await asked.getByRole('button', { name: 'Add a role' }).click();
    const form = asked.getByRole('dialog', { name: 'Add a role' });
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await form.getByRole('button', { name: 'Save' }).click();
    const question = asked.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByRole('button', { name: 'Use a passkey' }).waitFor();
    return question;
  };
  expects('403 POST /adminapi/system/role/add');
  const question = await ask(page, 'Keyed');
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('row').filter({ hasText: 'Keyed' }).waitFor();

  const { page: other } = await desk.open({ as: null, viewport: phone });
  await enterPassword(other, holder);
  await other.getByRole('button', { name: 'Use a passkey' }).waitFor();
  expect(await findBarriersInBothLocales(other, 'second step')).toEqual([]);
});

browserTest('is not used by a page at another address', async () => {
  const holder = await addHolder(desk, []);
  const { page } = await desk.open({ as: holder, path: 'system/account?tab=factor' });
  await plugIn(page);
  await addPasskey(page, holder.password);

  const { challenge, passkey } = (
    await desk.client.post('/adminapi/system/login/account', {
      account: holder.account,
      password: holder.password,
    })
  ).data;
  // The same server under its address: another origin, and another site for the browser.
  const other = await page.context().newPage();
  await other.goto(`${desk.url.replace('localhost', '127.0.0.1')}/console/`);
  const ask = (options: object) =>
    other.evaluate(
      `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)}) }).then(() => 'signed', ({ name }) => name)`,
    );

  expect(await ask(passkey)).toBe('SecurityError');
  const { rpId: _, ...without } = passkey;
  expect(await ask(without)).toBe('SecurityError');
  expect(challenge).toEqual(expect.any(String));
  await page.getByRole('button', { name: 'Remove “Passkey”' }).waitFor();
  // The check cannot judge a message that leaves meanwhile.
  await page.locator('.el-message').waitFor({ state: 'detached' });
  expect(await findBarriersInBothLocales(page, 'passkeys')).toEqual([]);
});
