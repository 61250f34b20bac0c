import '../support/environment.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { serveRaw } from '../doubles/serve.ts';
import { useCallers } from '../e2e/upload-fixture.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { browserTest, startBrowser } from './chromium.ts';

const megabyte = 1_048_576;

/** Runs in the page: notes every value of the progress bar. */
const watchProgress = `
  globalThis.seen = [];
  const bar = document.getElementById('progress');
  new MutationObserver(() => seen.push(Number(bar.getAttribute('value')))).observe(bar, { attributes: true });
`;

describe('the upload page', () => {
  const html = readFileSync(join(projectRoot, 'docs/examples/direct-upload.html'));
  const page = useRunning(() =>
    serveRaw((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    }),
  );
  const used = useServer(() => ({ environment: { CORS_ORIGINS: page.url } }));
  const { server } = used;
  const { user } = useCallers(used);
  let browser: Browser;
  afterAll(() => browser?.close());

  browserTest('uploads 20 MB and shows how far it is', async () => {
    browser = await startBrowser();
    const video = Buffer.alloc(20 * megabyte, 7);
    video.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
    const file = join(createTempDir(), 'holiday.mp4');
    writeFileSync(file, video);
    const tab = await browser.newPage();
    await tab.goto(`${page.url}/?api=${encodeURIComponent(server.url)}`);
    await tab.evaluate(watchProgress);
    await tab.fill('#token', user.client.token);

    await tab.setInputFiles('#file', file);
    const link = tab.locator('#status a');
    await link.waitFor();

    const seen = await tab.evaluate<number[]>('seen');
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    const stored = await fetch((await link.getAttribute('href')) ?? '');
    expect(Buffer.compare(Buffer.from(await stored.arrayBuffer()), video)).toBe(0);
  });

  browserTest('says why a file is refused', async () => {
    browser ??= await startBrowser();
    const file = join(createTempDir(), 'evil.exe');
    writeFileSync(file, 'MZ');
    const tab = await browser.newPage();
    await tab.goto(`${page.url}/?api=${encodeURIComponent(server.url)}`);
    await tab.fill('#token', user.client.token);

    await tab.setInputFiles('#file', file);

    await tab.getByText('Failed: upload.extension_not_allowed').waitFor();
  });

  browserTest('tells a guest to log in', async () => {
    browser ??= await startBrowser();
    const file = join(createTempDir(), 'a.png');
    writeFileSync(file, 'x');
    const tab = await browser.newPage();
    await tab.goto(`${page.url}/?api=${encodeURIComponent(server.url)}`);

    await tab.setInputFiles('#file', file);

    await tab.getByText('Failed: upload.guest_denied: Guests may not upload this: log in first').waitFor();
  });
});
