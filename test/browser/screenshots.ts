import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createProgram } from '#cli/command.ts';
import { buildConsole } from '#cli/console/build-console.ts';
import { root } from '#cli/project.ts';
import { generate } from '#functions/generate.ts';
import { runService } from '../support/run-service.ts';
import { startBrowser } from './browser.ts';
import { type Appearance, chooseAppearance, listPages, untilLoaded } from './console/log-in.ts';
import { type Scene, scenes } from './console/scenes.ts';
import { administrator, startService } from './start-service.ts';

const summary =
  'Takes pictures of all pages of the console, with example data, in both locales and themes, and writes those of the docs to docs/images/.';
const { folder } = createProgram('npm run screenshots', summary)
  .option('--folder <FOLDER>', 'for the pictures of all pages', join(root, '.build', 'screenshots'))
  .parse()
  .opts();

const docs = join(root, 'docs', 'images');
const viewport = { width: 1280, height: 800 };

/** Opens a tab; with a token, as the administrator. */
async function open(browser: Browser, appearance: Appearance, token?: string): Promise<Page> {
  const page = await browser.newPage({ viewport });
  await chooseAppearance(page, appearance);
  if (token) await page.addInitScript({ content: `sessionStorage.setItem('console.token', '${token}')` });
  return page;
}

/** Goes to a page and waits for its data and pictures. */
async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilLoaded(page);
  await page.waitForLoadState('networkidle');
}

/** Takes pictures of the login form and of every page. */
async function takeAll(browser: Browser, url: string, token: string, appearance: Appearance): Promise<void> {
  const name = (path: string) =>
    join(folder, `${path.replaceAll('/', '-')}-${appearance.locale}-${appearance.theme}.png`);
  const login = await open(browser, appearance);
  await login.goto(`${url}/console/`);
  await login.locator('#login-account').waitFor();
  await login.screenshot({ path: name('login') });
  await login.close();
  const page = await open(browser, appearance, token);
  await visit(page, `${url}/console/`);
  for (const path of await listPages(page)) {
    await visit(page, `${url}${path}`);
    await page.screenshot({ path: name(path.slice('/console/'.length) || 'home'), animations: 'disabled' });
  }
  await page.close();
}

async function takeScene(
  browser: Browser,
  url: string,
  token: string,
  { name, path, appearance, prepare }: Scene,
): Promise<void> {
  const page = await open(browser, appearance, token);
  await visit(page, `${url}/console/${path}`);
  await prepare?.(page);
  const picture = await page.screenshot({ animations: 'disabled' });
  await page.close();
  writeFileSync(join(docs, `${name}.webp`), await toWebp(browser, picture));
}

/** A picture at a third of its size. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const url: string = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.9);
  })()`);
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

async function readToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/adminapi/system/login/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  return Object(await answer.json()).data.token;
}

for (const each of [folder, docs]) mkdirSync(each, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'));
await generate(root);
await buildConsole();
const [service, browser] = await Promise.all([startService(dataDir), startBrowser()]);
try {
  const filled = await runService(root, { DATA_DIR: dataDir }, 'demo');
  if (filled.code !== 0) throw new Error(filled.complaint);
  const token = await readToken(service.url);
  for (const scene of scenes) await takeScene(browser, service.url, token, scene);
  for (const locale of ['en', 'zh_CN'] as const) {
    for (const theme of ['light', 'dark'] as const)
      await takeAll(browser, service.url, token, { locale, theme });
  }
  console.log(`All pages: ${folder}\nOf the docs: ${docs}`);
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
