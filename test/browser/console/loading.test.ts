import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { listPages, untilLoaded } from './log-in.ts';

// What operators see, and what the service is asked, while a page loads.

const desk = useDesk();

/** Holds all files of code back. @returns lets them come */
async function holdCode(page: Page): Promise<() => void> {
  const isFree = Promise.withResolvers<void>();
  await page.route('**/console/**/*.js', async (route) => {
    await isFree.promise;
    await route.fallback();
  });
  return isFree.resolve;
}

const placeOf = async (page: Page) => {
  const { x = 0, y = 0 } = (await page.locator('#content h1').first().boundingBox()) ?? {};
  return { x: Math.round(x), y: Math.round(y) };
};

describe('a page', () => {
  for (const [path, title] of [
    ['system/role', 'Roles'],
    ['system/setting/config', 'System settings'],
  ])
    browserTest(`of ${path} has its place and its title while its code loads`, async () => {
      const { page } = await desk.open();
      await untilLoaded(page);
      const release = await holdCode(page);

      await page.locator(`.shell-side li a[href="/console/${path}"]`).click();
      await page.locator('#content').getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.locator('#content .el-skeleton').waitFor();
      const before = await placeOf(page);
      release();
      await untilLoaded(page);

      expect(await placeOf(page)).toEqual(before);
    });

  browserTest(
    'asks the service for nothing twice, as the first page or from the menu',
    async () => {
      const { page } = await desk.open();
      const paths = ['/console/', ...(await listPages(page))];
      const read: string[] = [];
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (request.method() === 'GET' && !pathname.startsWith('/console/')) read.push(pathname + search);
      });
      const twice: string[] = [];
      async function listen(path: string, act: () => Promise<unknown>): Promise<void> {
        read.length = 0;
        await act();
        await page.waitForLoadState('networkidle');
        await untilLoaded(page);
        twice.push(
          ...read.filter((url, index) => read.indexOf(url) !== index).map((url) => `${path}: ${url}`),
        );
      }

      for (const path of paths) {
        await listen(path, () => page.goto(`${desk.url}${path}`));
        expect(read.length).toBeGreaterThan(0);
      }
      for (const path of paths.slice(1))
        await listen(`menu ${path}`, () => page.locator(`.shell-side li a[href="${path}"]`).click());

      expect(twice).toEqual([]);
    },
    180_000,
  );
});
