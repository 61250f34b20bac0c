import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { createTempDir } from '../../support/local-server.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';
import { untilLoaded } from './log-in.ts';

// Files: uploads, their progress, and what can be done with many.

const desk = useDesk();
const megabyte = 1024 ** 2;
const path = 'system/file';

/** A video with its header, and bytes that players skip. A file: large contents take long on their way into the browser. */
function createVideo(name: string, sizeBytes: number): string {
  const file = join(createTempDir(), name);
  writeFileSync(file, validFiles.mp4);
  truncateSync(file, sizeBytes);
  return file;
}

const createPicture = (name: string) => ({ name, mimeType: 'image/png', buffer: validFiles.png });

/** Sends no more than this, so that a test sees the progress. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const unlimited = { offline: false, latency: 0, downloadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { ...unlimited, uploadThroughput: bytesPerSecond });
}

const choose = (page: Page, ...files: string[] | { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('#content input[type=file]').setInputFiles(files);

describe('the files', () => {
  browserTest(
    'take a video of 20 MB with its progress, while another is cancelled',
    async () => {
      const { page } = await desk.open({ path });
      await untilLoaded(page);
      await slowDown(page, 8 * megabyte);

      await choose(page, createVideo('long.mp4', 20 * megabyte), createVideo('unwanted.mp4', 20 * megabyte));
      const panel = page.getByRole('region', { name: 'Uploads' });
      await panel.getByRole('progressbar', { name: 'long.mp4' }).waitFor();
      await panel
        .getByText(/^[1-9].* of 20 MB/)
        .first()
        .waitFor();
      await panel.getByRole('button', { name: 'Cancel: unwanted.mp4' }).click();
      await panel.getByText('1 uploaded').waitFor({ timeout: 60_000 });

      await page.getByRole('link', { name: 'Show long.mp4' }).waitFor();
      expect(await page.getByText('unwanted.mp4').count()).toBe(0);
    },
    120_000,
  );

  browserTest(
    'are paused, and go on from what has arrived',
    async () => {
      const { page } = await desk.open({ path });
      await untilLoaded(page);
      await slowDown(page, 4 * megabyte);
      const isPart = (response: Response, method: string) =>
        response.url().includes('/upload/part') && response.request().method() === method;
      const panel = page.getByRole('region', { name: 'Uploads' });

      await Promise.all([
        page.waitForResponse((response) => isPart(response, 'POST')),
        choose(page, createVideo('paused.mp4', 20 * megabyte)),
      ]);
      await panel.getByRole('button', { name: 'Pause: paused.mp4' }).click();
      await panel.getByText('Paused · 20 MB').waitFor();
      expect(Object(await desk.call('system/file/list?keyword=paused')).list).toEqual([]);
      const [counted] = await Promise.all([
        page.waitForResponse((response) => isPart(response, 'GET')),
        panel.getByRole('button', { name: 'Resume: paused.mp4' }).click(),
      ]);
      await panel.getByText('1 uploaded').waitFor({ timeout: 60_000 });

      expect((await counted.json()).data.offset).toBeGreaterThanOrEqual(4 * megabyte);
      const { list } = Object(await desk.call('system/file/list?keyword=paused'));
      expect(list).toMatchObject([{ name: 'paused.mp4', size: 20 * megabyte }]);
    },
    120_000,
  );

  browserTest('are moved once by a double click', async () => {
    await desk.call('system/file/category/add', { type: 'image', name: 'Birds' });
    const { page } = await desk.open({ path });
    await untilLoaded(page);
    await choose(page, createPicture('crow.png'));
    const isFree = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/adminapi/system/file/move', async (route) => {
      requests += 1;
      await isFree.promise;
      await route.continue();
    });
    await page.getByRole('checkbox', { name: 'Select crow.png' }).press('Space');
    await page.getByRole('button', { name: 'Move to a category' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move a file' });
    await dialog.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Birds' }).click();

    await dialog.getByRole('button', { name: 'Move to a category' }).dblclick();
    isFree.resolve();

    await page.getByText('1 file moved').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(requests).toBe(1);
  });

  browserTest('are narrowed to a category by keyboard alone', async () => {
    await desk.call('system/file/category/add', { type: 'video', name: 'Lakes' });
    const { page } = await desk.open({ path });
    await untilLoaded(page);
    const tree = page.getByRole('tree', { name: 'File categories' });
    const lakes = tree.getByRole('treeitem', { name: 'Lakes' });
    await lakes.waitFor();
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/adminapi/')) read.push(search);
    });
    const videos = tree.getByRole('treeitem', { name: 'Videos', expanded: true });

    await videos.focus();
    await page.keyboard.press('ArrowLeft');
    await lakes.waitFor({ state: 'hidden' });
    expect(read).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await lakes.waitFor();
    await page.keyboard.press('ArrowDown');
    await Promise.all([page.waitForRequest(/file\/list/), page.keyboard.press('Enter')]);

    expect(read).toEqual([expect.stringContaining('cid=')]);
  });

  browserTest('have a list without words on uploads for those who may not upload', async () => {
    const as = await addHolder(desk, ['system/file:read']);
    const { page } = await desk.open({ path, as });
    await page.getByRole('searchbox', { name: 'Search by name' }).waitFor();
    await page.getByRole('treeitem', { name: 'Documents' }).click();

    await page.getByText('No files yet.', { exact: true }).waitFor();
  });

  browserTest('have an address that is shown if the browser cannot copy it', async () => {
    const { page } = await desk.open({ path });
    // As over plain HTTP.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await choose(page, createPicture('address.png'));
    await page.getByRole('link', { name: 'Show address.png' }).click();

    await page.getByRole('button', { name: 'Copy the URL' }).click();

    await page.getByText(/Copy it by hand: http.*\.png/).waitFor();
  });

  browserTest('are private if asked for: a lock, a link of 15 minutes, and no cover', async () => {
    const { page } = await desk.open({ path });
    await untilLoaded(page);
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByText('Upload as private').click();
    await choose(page, createPicture('identity card.png'));
    await page.getByText('1 uploaded').waitFor();

    await page.getByRole('link', { name: /^Show identity card\.png, .*, Private$/ }).click();
    const details = page.getByRole('dialog');
    await details.getByText('A private file').waitFor();
    expect(await details.getByRole('img', { name: 'identity card.png' }).count()).toBe(0);
    await details.getByRole('button', { name: 'Copy a link for 15 minutes' }).click();
    const shown = await page.getByText(/Copy it by hand: http.*signature=/).textContent();
    const [url = ''] = /http\S+/.exec(shown ?? '') ?? [];
    expect((await fetch(url)).status).toBe(200);
    await details.getByRole('button', { name: 'Show', exact: true }).click();
    const picture = details.getByRole('img', { name: 'identity card.png' });
    await picture.waitFor();
    const width = await page.evaluate(`(async () => {
      const picture = document.querySelector('.file-preview img');
      await picture.decode();
      return picture.naturalWidth;
    })()`);
    expect(width).toBeGreaterThan(0);
    await page.screenshot({ path: `${process.env.SHOTS ?? createTempDir()}/private.png` });
  });

  browserTest('are refused by their content, with the reason', async () => {
    const { page } = await desk.open({ path });
    await untilLoaded(page);

    await choose(page, { name: 'text.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('x') });

    await page.getByRole('alert').getByText('Files of this type cannot be uploaded here').waitFor();
  });

  for (const width of [1280, 390])
    browserTest(`are uploaded at ${width} px: what failed comes first, and nothing is covered`, async () => {
      const { page } = await desk.open({ path, viewport: { width, height: 800 } });
      await untilLoaded(page);
      const names = Array.from(
        { length: 24 },
        (_, index) => `p${width}-${index}.${index % 8 === 7 ? 'exe' : 'png'}`,
      );
      await choose(page, ...names.map((name) => createPicture(name)));
      const panel = page.getByRole('region', { name: 'Uploads' });
      await panel.getByText('21 uploaded, 3 failed').waitFor({ timeout: 60_000 });

      const first = await panel.getByRole('listitem').locator('.name').allTextContents();
      expect(first.slice(0, 3).every((name) => name.endsWith('.exe'))).toBe(true);
      const covered = await page.evaluate(`(() => {
        const panel = document.querySelector('.upload-panel').getBoundingClientRect();
        return [...document.querySelectorAll('#content, .shell-bar, .shell-side')].filter((each) => {
          const { top, bottom, left, right } = each.getBoundingClientRect();
          const isApart = bottom <= panel.top || top >= panel.bottom || right <= panel.left || left >= panel.right;
          return right > left && !isApart;
        }).length;
      })()`);
      expect(covered).toBe(0);
      const { scrollWidth, clientWidth } = Object(
        await page.evaluate(
          '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
        ),
      );
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    });

  browserTest('are deleted several at once, after a question', async () => {
    const { page } = await desk.open({ path });
    await untilLoaded(page);
    await choose(page, createPicture('one.png'), createPicture('two.png'));
    await page.getByText('2 uploaded').waitFor();

    await page.getByRole('checkbox', { name: 'Select one.png' }).press('Space');
    await page.getByRole('checkbox', { name: 'Select two.png' }).press('Space');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('2 files deleted').waitFor();
    await page.getByRole('link', { name: 'Show one.png' }).waitFor({ state: 'detached' });
  });
});
