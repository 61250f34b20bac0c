import '../support/environment.ts';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { validFiles } from '../fixtures/hostile/files.ts';
import { administrator } from '../support/administrator.ts';
import { createTempDir } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { browserTest, startBrowser } from './chromium.ts';

const { server } = useServer({ login: false });
const browser = useRunning(startBrowser, (started) => started.close());

/** A tab, and where its requests went. */
async function openTab(): Promise<{ tab: Page; hosts: Set<string>; faults: string[] }> {
  const tab = await browser.newPage();
  const hosts = new Set<string>();
  const faults: string[] = [];
  tab.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:') hosts.add(hostname);
  });
  tab.on('pageerror', ({ message }) => faults.push(message));
  tab.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { tab, hosts, faults };
}

/** Shows what System offers administrators. Of all operations at once, from 150 lines on, those in sight are shown only. */
async function filter(tab: Page): Promise<void> {
  await tab.getByPlaceholder('Filter by tag').fill('System/Admin');
}

/** Opens an operation by its ID. */
async function unfold(tab: Page, operationId: string): Promise<Locator> {
  const operation = tab.locator(`[id$="${operationId}"]`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Sends what is filled in; answers the status and the body that the page shows. */
async function execute(operation: Locator): Promise<{ status: string; body: string }> {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const live = operation.locator('.live-responses-table');
  const status = await live.locator('.response-col_status').last().innerText();
  const body = await live.locator('.response-col_description .highlight-code code').first().innerText();
  return { status: status.split('\n')[0] ?? '', body };
}

describe('the API reference', () => {
  browserTest(
    'logs in, authorises, reads the dictionary and uploads a file',
    async () => {
      const { tab, hosts, faults } = await openTab();
      await tab.goto(`${server.url}/docs?lang=en`);

      await filter(tab);
      const login = await unfold(tab, 'system-admin-login-account');
      await login.locator('textarea').fill(JSON.stringify(administrator));
      const loggedIn = await execute(login);
      const token = String(JSON.parse(loggedIn.body).data.token);

      await tab.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
      const form = tab.locator('.auth-container', { hasText: 'adminToken' });
      await form.locator('input').fill(token);
      await form.getByRole('button', { name: 'Apply credentials' }).click();
      await tab.locator('.dialog-ux .close-modal').click();

      const dictionary = await execute(await unfold(tab, 'system-admin-config-dict'));

      const upload = await unfold(tab, 'system-admin-upload-file');
      const file = join(createTempDir(), 'dot.png');
      writeFileSync(file, validFiles.png);
      await upload.locator('input[type=file]').setInputFiles(file);
      const uploaded = await execute(upload);

      for (const { status, body } of [loggedIn, dictionary, uploaded])
        expect([status, body]).toEqual(['200', body]);
      expect(JSON.parse(dictionary.body)).toMatchObject({
        code: 'ok',
        message: 'OK',
        data: { source_channel: expect.arrayContaining([{ name: '搜索引擎', value: 'search' }]) },
      });
      expect(JSON.parse(uploaded.body).data).toMatchObject({ name: 'dot.png', size: validFiles.png.length });
      expect([...hosts]).toEqual(['127.0.0.1']);
      expect(faults).toEqual([]);
    },
    120_000,
  );

  browserTest(
    'speaks the language that its reader chooses',
    async () => {
      const { tab } = await openTab();
      await tab.goto(`${server.url}/docs?lang=en`);
      await filter(tab);
      const summary = tab.locator('[id$="system-admin-login-account"] .opblock-summary-description');
      await expect(summary.innerText()).resolves.toBe('Log an administrator in');

      await tab.getByRole('link', { name: '中文' }).click();

      await tab.getByRole('heading', { name: '管理后台服务接口' }).waitFor();
      await filter(tab);
      await expect(summary.innerText()).resolves.toBe('管理员登录');
    },
    120_000,
  );

  browserTest(
    'opens from a folder, with everything it needs in it',
    async () => {
      const { root } = copyProject(['docs']);
      const environment = { ...process.env, PUBLIC_URL: 'https://api.example.com' };
      execFileSync(process.execPath, ['cli/docs.ts'], { cwd: root, env: environment });
      const { tab, hosts, faults } = await openTab();

      await tab.goto(pathToFileURL(join(root, '.build/docs/index.html')).href);

      await filter(tab);
      await tab.locator('[id$="system-admin-login-account"]').waitFor();
      await expect(tab.locator('.servers input').inputValue()).resolves.toBe('https://api.example.com');
      expect([...hosts]).toEqual(['']);
      expect(faults).toEqual([]);
    },
    120_000,
  );
});
