import type { Browser, CDPSession, Page } from 'playwright-core';
import { type Credentials, listPages, logIn, untilLoaded } from '../test/browser/console/log-in.ts';
import { percentile } from './statistics.ts';

export interface PageChanges {
  /** From the click on a link of the menu until the page shows its data, half of the changes take less. */
  p50Ms: number;
  /**
   * In use after a collection, the median of 40 samples among the first and the last 200 changes: the browser keeps what a
   * page held until some later page is drawn, so single samples differ by a page.
   */
  heapBytes: { before: number; after: number };
}

/** Page changes that are timed, one menu entry after the other, without collections in between. */
const timed = 200;
/** Page changes whose heap is measured. */
const changes = 400;
const samplesEvery = 5;
/** Visits of each page before, until the browser has compiled what it will. */
const warmUp = 10;

/** Changes the page by the menu, with each page's code loaded before. */
export async function measurePageChanges(
  browser: Browser,
  url: string,
  credentials: Credentials,
): Promise<PageChanges> {
  const tab = await browser.newPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await tab.goto(`${url}/console/`);
  await logIn(tab, credentials);
  await untilLoaded(tab);
  const paths = await listPages(tab);
  const session = await tab.context().newCDPSession(tab);
  for (let round = 0; round < warmUp; round++) {
    for (const path of paths) await changePage(tab, path);
  }
  const changeAt = (index: number) => changePage(tab, String(paths[index % paths.length]));
  const times: number[] = [];
  while (times.length < timed) times.push(await changeAt(times.length));
  const heaps: number[] = [];
  for (let index = 0; index < changes; index++) {
    await changeAt(timed + index);
    if (index % samplesEvery === 0) heaps.push(await measureHeap(session));
  }
  await tab.close();
  return {
    p50Ms: percentile(times, 0.5),
    heapBytes: {
      before: percentile(heaps.slice(0, heaps.length / 2), 0.5),
      after: percentile(heaps.slice(heaps.length / 2), 0.5),
    },
  };
}

/** Measured within the tab, since a command to it takes milliseconds of its own. @returns milliseconds */
async function changePage(tab: Page, path: string): Promise<number> {
  return await tab.evaluate<number>(`(async (path) => {
    const link = document.querySelector('.shell-side .side-menu li a[href="' + path + '"]');
    const isShown = () =>
      location.pathname === path &&
      document.querySelector('#content h1') !== null &&
      ![...document.querySelectorAll('#content :is(.el-loading-mask, .el-skeleton, .is-loading)')]
        .some((element) => element.checkVisibility());
    const startedAt = performance.now();
    link.click();
    do {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    } while (!isShown());
    return performance.now() - startedAt;
  })(${JSON.stringify(path)})`);
}

async function measureHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
