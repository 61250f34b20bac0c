import type { Page } from 'playwright-core';
import type { Appearance } from './log-in.ts';

/** A picture of the docs. */
export interface Scene {
  /** Name of the file in `docs/images/`. */
  name: string;
  /** Below `/console/`. */
  path: string;
  appearance: Required<Appearance>;
  /** Brings the page into the state to be shown. */
  prepare?(page: Page): Promise<void>;
}

/** Registers a client; answers the address of the consent page for it. */
const registerClient = `(async () => {
  const redirect_uri = 'https://claude.ai/api/mcp/auth_callback';
  const added = await fetch('/adminapi/system/oauth/client/add', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer ' + sessionStorage.getItem('console.token'),
    },
    body: JSON.stringify({ name: 'Claude', redirect_uris: [redirect_uri] }),
  });
  const { resource } = await (await fetch('/.well-known/oauth-protected-resource')).json();
  const query = new URLSearchParams({
    client_id: (await added.json()).data.id,
    ...{ response_type: 'code', redirect_uri, resource, scope: 'mcp:read mcp:write' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  });
  return location.origin + '/console/oauth/consent?' + query;
})()`;

export const scenes: readonly Scene[] = [
  { name: 'console-home', path: '', appearance: { locale: 'en', theme: 'light' } },
  { name: 'console-files', path: 'system/file', appearance: { locale: 'zh_CN', theme: 'light' } },
  { name: 'console-articles', path: 'article/article', appearance: { locale: 'zh_CN', theme: 'dark' } },
  {
    name: 'console-role',
    path: 'system/role',
    appearance: { locale: 'en', theme: 'light' },
    async prepare(page) {
      await page.getByRole('button', { name: 'Edit editor' }).click();
      await page
        .getByRole('dialog', { name: /^Edit a role/ })
        .getByRole('row')
        .last()
        .waitFor();
    },
  },
  {
    name: 'console-settings',
    path: 'system/setting/config?group=ai',
    appearance: { locale: 'en', theme: 'dark' },
  },
  {
    name: 'console-dictionary',
    path: 'system/setting/dict/type',
    appearance: { locale: 'en', theme: 'dark' },
    async prepare(page) {
      await page.getByRole('link', { name: /demo_city/ }).click();
      await page.getByRole('row').nth(5).waitFor();
    },
  },
  {
    name: 'console-consent',
    path: 'system/oauth/client',
    appearance: { locale: 'en', theme: 'light' },
    async prepare(page) {
      await page.goto(String(await page.evaluate(registerClient)));
      await page.getByRole('heading', { name: 'Connect' }).waitFor();
    },
  },
];
