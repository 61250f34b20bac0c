import '../../support/environment.ts';
import { afterAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createDesk, publicPath, storeContent } from '../../e2e/article-fixture.ts';
import { useServer } from '../../support/use-server.ts';
import { browserTest, startBrowser } from '../chromium.ts';
import { hostileTexts } from './hostile-texts.ts';

/** A page that puts a text where it stands on a page from a server, with a count of the scripts that ran. */
const writePage = (html: string): string =>
  `<!doctype html><script>ran = 0; run = () => { ran += 1; };</script><body><div>${html}</div><p>end</p>`;

/** Puts a text into the page by script, and follows what could run a script. */
const insert = `(html) => {
  const place = document.createElement('div');
  place.innerHTML = html;
  document.body.append(place);
}`;
const follow = `() => {
  const usual = ['http:', 'https:', 'mailto:', 'tel:'];
  for (const each of document.querySelectorAll('a, area, button, summary, [href]'))
    if (!usual.includes(each.protocol)) each.dispatchEvent(new MouseEvent('click', { bubbles: true }));
}`;

/** Whether a text runs a script, or leads away from the page. */
async function runsScript(page: Page, html: string): Promise<boolean> {
  try {
    await page.setContent(writePage(html), { waitUntil: 'commit' });
    await page.evaluate(`(${insert})(${JSON.stringify(html)})`);
    await page.evaluate(`(${follow})()`);
    // A picture that cannot be loaded reports it in a task of its own; so does the scheme of a link.
    await page.evaluate('new Promise((done) => setTimeout(() => setTimeout(done)))');
    return (await page.evaluate('ran')) !== 0;
  } catch {
    return true;
  }
}

async function listRunning(page: Page, origin: string, texts: readonly string[]): Promise<string[]> {
  const running: string[] = [];
  for (const html of texts) {
    // A page with an address, so that relative links have a scheme.
    if (!page.url().startsWith(origin)) await page.goto(`${origin}/health`);
    if (await runsScript(page, html)) running.push(html);
  }
  return running;
}

describe('hostile rich text', () => {
  const { server, client, admin } = useServer();
  const desk = createDesk(admin);
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  const show = async () => {
    browser ??= await startBrowser();
    return browser.newPage();
  };

  browserTest(
    'runs no script in a page that shows the answer, also if an older version stored it',
    async () => {
      const { id, version } = await desk.add();
      const answers: string[] = [];
      let stored = version;
      for (const content of hostileTexts) {
        const saved = (await desk.post('edit', { id, version: stored, content })).data;
        stored = saved.version;
        await storeContent(server, id, content);
        const older = (await client.get(`${publicPath}/detail?id=${id}`)).data;
        answers.push(saved.content, older.content);
      }

      expect(answers.length).toBeGreaterThan(1000);
      expect(await listRunning(await show(), server.url, [...new Set(answers)])).toEqual([]);
    },
    600_000,
  );

  browserTest(
    'would run scripts if the answer held it as it was sent',
    async () => {
      const sample = hostileTexts.filter((_text, place) => place % 12 === 0);

      const running = await listRunning(await show(), server.url, sample);

      expect(running.length).toBeGreaterThan(sample.length / 4);
    },
    120_000,
  );
});
