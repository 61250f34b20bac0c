import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type RunningDouble, serveRaw } from '../../doubles/serve.ts';
import {
  type PublishedClient,
  publishClient,
  trustsPublishedClients,
} from '../../mcp/oauth/client-document.ts';
import { createOperator } from '../../mcp/oauth/operator.ts';
import { administrator } from '../../support/administrator.ts';
import { browserTest } from '../chromium.ts';
import { findBarriers } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { addHolder, readToken } from './holders.ts';
import { logIn } from './log-in.ts';

// The consent page, as an administrator meets it who connects an assistant.

let app: RunningDouble;
let published: PublishedClient;
const desk = useDesk(
  async () => {
    app = await serveRaw((_request, response) => void response.end('back in the app'));
    published = await publishClient('Assistant', [`${app.url}/callback`]);
    return trustsPublishedClients;
  },
  () => Promise.all([app?.stop(), published?.stop()]),
);
const host = () => new URL(app.url).host;
const backInTheApp = () => `to ${host()}: GET /callback`;

/** What a client asks to open, and the verifier that it keeps. */
function askToConnect(changes: Record<string, string> = {}): { query: string; verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: published.url,
    redirect_uri: `${app.url}/callback`,
    scope: 'mcp:read mcp:write',
    state: 'a state & more',
    resource: `${desk.url}/mcp/service`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'consent',
    ...changes,
  });
  return { query: String(query), verifier };
}

/** Where the browser is after the answer. */
async function readReturn(page: Page): Promise<Record<string, string>> {
  await page.getByText('back in the app').waitFor();
  const { origin, pathname, searchParams } = new URL(page.url());
  expect(origin + pathname).toBe(`${app.url}/callback`);
  return Object.fromEntries(searchParams);
}

async function exchange(code = '', verifier = ''): Promise<unknown> {
  const form = {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ client_id: published.url, redirect_uri: `${app.url}/callback`, resource: `${desk.url}/mcp/service` },
  };
  const answer = await fetch(`${desk.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(form)),
  });
  return answer.json();
}

describe('the consent page', () => {
  browserTest('comes after the login, and sends a code to the client', async () => {
    const { page, expects } = await desk.open({ as: null });
    expects(backInTheApp());
    const { query, verifier } = askToConnect();
    await page.goto(`${desk.url}/oauth/authorize?${query}`);
    await logIn(page, administrator);
    await page.getByRole('heading', { name: 'Connect “Assistant”?' }).waitFor();
    const shown = await page.locator('#content').innerText();

    await page.getByRole('button', { name: 'Connect' }).click();

    const { code, ...others } = await readReturn(page);
    expect(others).toEqual({ state: 'a state & more', iss: desk.url });
    // The client has asked for both; the administrator has not ticked changing.
    expect(await exchange(code, verifier)).toMatchObject({ scope: 'mcp:read' });
    for (const each of [published.host, `An app on this computer (${host()})`, administrator.account])
      expect(shown).toContain(each);
  });

  browserTest('tells the client that the administrator has declined', async () => {
    const { page, expects } = await desk.open({ path: `oauth/consent?${askToConnect().query}` });
    expects(backInTheApp());

    await page.getByRole('button', { name: 'Cancel' }).click();

    expect(await readReturn(page)).toEqual({
      error: 'access_denied',
      state: 'a state & more',
      iss: desk.url,
    });
  });

  browserTest('gives changing only if it is ticked, by keyboard alone', async () => {
    const { query, verifier } = askToConnect();
    const { page, expects } = await desk.open({ path: `oauth/consent?${query}` });
    expects(backInTheApp());
    const change = page.getByRole('checkbox', { name: 'Change:' });
    await change.waitFor({ state: 'attached' });
    expect(await change.isChecked()).toBe(false);
    expect(await page.getByRole('checkbox', { name: 'Read:' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Use another account' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await change.isChecked()).toBe(true);
    // Past the choice of folders.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    const { code } = await readReturn(page);
    expect(await exchange(code, verifier)).toMatchObject({ scope: 'mcp:read mcp:write' });
  });

  browserTest('gives a part of the rights if folders are chosen, by keyboard alone', async () => {
    const { query, verifier } = askToConnect();
    const { page, expects } = await desk.open({ path: `oauth/consent?${query}` });
    expects(backInTheApp());
    const folders = page.getByRole('combobox', { name: 'Only these folders' });
    await folders.focus();
    await page.keyboard.type('Files');
    await page.getByRole('option', { name: 'System › Files' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/consent.png` });

    await page.getByRole('button', { name: 'Connect' }).click();

    const { code } = await readReturn(page);
    expect(await exchange(code, verifier)).toMatchObject({ scope: 'mcp:read' });
    const { list } = Object(await desk.call('system/admin/token/list'));
    expect(list[0]).toMatchObject({ kind: 'oauth', grants: ['system/file:write'] });
  });

  browserTest('says why a request cannot be connected, and goes nowhere', async () => {
    const path = `oauth/consent?${askToConnect({ redirect_uri: 'https://elsewhere.example/' }).query}`;
    const { page, expects } = await desk.open({ path });
    expects('400 GET /adminapi/system/oauth/request');

    await page.getByRole('alert').getByText('This cannot be connected').waitFor();

    expect(await page.getByRole('button', { name: 'Connect' }).count()).toBe(0);
    expect(page.url()).toContain(`${desk.url}/console/oauth/consent?`);
  });

  browserTest('renews a login that has ended, and goes on', async () => {
    const { page, expects } = await desk.open({ path: `oauth/consent?${askToConnect().query}` });
    expects('401 POST /adminapi/system/oauth/approve', backInTheApp());
    await page.getByRole('button', { name: 'Connect' }).waitFor();
    await desk.client.post('/adminapi/system/login/logout', {}, { token: await readToken(page) });

    await page.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your login has ended' });
    await dialog.getByLabel('Password').fill(administrator.password);
    await dialog.getByLabel('Password').press('Enter');

    expect(await readReturn(page)).toMatchObject({ code: expect.any(String) });
  });

  browserTest('asks for the password if the login is old, also if it becomes old meanwhile', async () => {
    const { page, expects } = await desk.open({ as: null });
    expects('422 POST /adminapi/system/oauth/approve', backInTheApp());
    const { query } = askToConnect();
    const isApproval = '**/adminapi/system/oauth/approve';
    // The first answer is that of an old login.
    await page.route(
      isApproval,
      (route) =>
        route.fulfill({
          status: 422,
          json: {
            ...{ code: 'request.invalid', message: 'not valid', data: null, request_id: 'x' },
            errors: [{ path: 'body.password', message: 'Your current password is needed' }],
          },
        }),
      { times: 1 },
    );
    await page.goto(`${desk.url}/oauth/authorize?${query}`);
    await logIn(page, administrator);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Your current password is needed').waitFor();
    expect(await page.getByRole('button', { name: 'Connect' }).isDisabled()).toBe(true);
    expect(await findBarriers(page, 'a consent that asks for the password')).toEqual([]);
    const approval = page.waitForRequest(isApproval);
    await page.getByLabel('Your password').fill(administrator.password);

    await page.getByRole('button', { name: 'Connect' }).click();

    expect((await approval).postDataJSON()).toMatchObject({
      approved: true,
      password: administrator.password,
    });
    await readReturn(page);
  });

  browserTest('lets another administrator log in and answer', async () => {
    const holder = await addHolder(desk, []);
    const { page } = await desk.open({ path: `oauth/consent?${askToConnect().query}` });

    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.locator('#login-account').waitFor();
    await logIn(page, holder);

    await page.locator('dd', { hasText: holder.account }).waitFor();
    await page.getByRole('button', { name: 'Connect' }).waitFor();
  });

  browserTest('is not in the menu', async () => {
    const { page } = await desk.open();

    await page.locator('.shell-side').getByRole('link', { name: 'My account' }).waitFor();
    expect(await page.locator('.side-menu a[href*="consent"]').count()).toBe(0);
  });

  browserTest.each([
    { locale: 'en', theme: 'light', viewport: { width: 1280, height: 800 } },
    { locale: 'zh_CN', theme: 'dark', viewport: { width: 390, height: 800 } },
  ] as const)('has no barrier in $locale, and fits $viewport.width pixels', async (appearance) => {
    const path = `oauth/consent?${askToConnect().query}`;
    const { page } = await desk.open({ ...appearance, path });
    await page.locator('form button[type=submit]').waitFor();

    expect(await findBarriers(page, 'consent')).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBe(0);
  });
});

/** Connects the assistant of the test server's administrator; answers its access token. */
async function connect(): Promise<string> {
  const { query, verifier } = askToConnect();
  await desk.logInAgain();
  const back = await createOperator(desk.server, desk.admin).approve(`${desk.url}/oauth/authorize?${query}`);
  const tokens = await exchange(back.searchParams.get('code') ?? '', verifier);
  return String(Object(tokens).access_token);
}

const callTool = (token: string) =>
  fetch(`${desk.url}/mcp/service`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

describe('the account page', () => {
  browserTest('shows the address for assistants, and disconnects one', async () => {
    const token = await connect();
    expect((await callTool(token)).status).toBe(200);
    const { page } = await desk.open({ path: 'system/account' });
    await page.getByText(`${desk.url}/mcp/service`, { exact: true }).waitFor();

    await page
      .getByRole('row', { name: published.host })
      .getByRole('button', { name: 'Disconnect' })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();

    await page.getByText('Disconnected', { exact: true }).waitFor();
    expect((await callTool(token)).status).toBe(401);
  });
});

describe('the list of OAuth clients', () => {
  browserTest('ends all connections of a client with a metadata document', async () => {
    const token = await connect();
    const { page } = await desk.open({ path: 'system/oauth/client' });
    await page.getByRole('textbox', { name: 'Disconnect a client' }).fill(published.url);
    await page.getByRole('button', { name: 'End all connections' }).click();

    await page.getByRole('dialog').getByRole('button', { name: 'End all connections' }).click();

    await page.getByText('All connections have ended').waitFor();
    expect((await callTool(token)).status).toBe(401);
  });

  browserTest('registers a client for connections, and deletes it', async () => {
    const { page } = await desk.open({ path: 'system/oauth/client' });
    await page.getByRole('button', { name: 'Register an OAuth client' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Desktop');
    await page
      .getByRole('textbox', { name: 'Redirect URIs' })
      .fill('http://localhost/callback\nhttp://127.0.0.1/callback');
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: 'Desktop' });
    await row.waitFor();

    await row.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete an OAuth client' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete an OAuth client' }).click();

    await row.waitFor({ state: 'detached' });
  });
});
