import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { untilLoaded } from './log-in.ts';

// Files: uploads, their progress, and what can be done with many.

const desk = useDesk();
const megabyte = 1024 ** 2;
const path = 'system/file';

/** A video with its header, and bytes that players skip. */
function createVideo(name: string, sizeBytes: number) {
  const buffer = Buffer.alloc(sizeBytes);
  validFiles.mp4.copy(buffer);
  return { name, mimeType: 'video/mp4', buffer };
}

const createPicture = (name: string) => ({ name, mimeType: 'image/png', buffer: validFiles.png });

/** Sends no more than this, so that a test sees the progress. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const unlimited = { offline: false, latency: 0, downloadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { ...unlimited, uploadThroughput: bytesPerSecond });
}

const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('#content input[type=file]').setInputFiles(files);

describe('the files', () => {
  browserTest(
    'take a video of 20 MiB with its progress, while another is cancelled',
    async () => {
      const { page } = await desk.open({ path });
      await untilLoaded(page);
      await slowDown(page, 8 * megabyte);

      await choose(page, createVideo('long.mp4', 20 * megabyte), createVideo('unwanted.mp4', 20 * megabyte));
      const panel = page.getByRole('region', { name: 'Uploads' });
      await panel.getByRole('progressbar', { name: 'long.mp4' }).waitFor();
      await panel
        .getByText(/^[1-9].* of 20 MiB/)
        .first()
        .waitFor();
      await panel.getByRole('button', { name: 'Cancel: unwanted.mp4' }).click();
      await panel.getByText('1 uploaded').waitFor({ timeout: 60_000 });

      await page.getByRole('button', { name: 'Show long.mp4' }).waitFor();
      expect(await page.getByText('unwanted.mp4').count()).toBe(0);
    },
    120_000,
  );

  browserTest('are refused by their content, with the reason', async () => {
    const { page } = await desk.open({ path });
    await untilLoaded(page);

    await choose(page, { name: 'text.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('x') });

    await page.getByRole('alert').getByText('Files of this type cannot be uploaded here').waitFor();
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
    await page.getByRole('button', { name: 'Show one.png' }).waitFor({ state: 'detached' });
  });
});
