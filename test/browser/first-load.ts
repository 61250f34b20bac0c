import type { Browser, Page } from 'playwright-core';

/** What a browser loads until the login form is visible, and then until the start page is. */
export interface FirstLoad {
  login: Loaded;
  /** Without what was loaded for the login form. */
  start: Loaded;
  /** From the navigation until the login form is visible. */
  visibleMs: number;
}

/** What a browser may load until the login form is visible. */
export const firstLoadLimits = { bytes: 260_000, requests: 12 };

export interface Loaded {
  requests: string[];
  /** Bodies as they are sent, compressed. */
  bytes: number;
}

/** Opens the console as a new visitor, and logs in. */
export async function measureFirstLoad(
  browser: Browser,
  url: string,
  { account, password }: { account: string; password: string },
): Promise<FirstLoad> {
  const tab = await browser.newPage({ locale: 'en' });
  const take = await watchTransfers(tab);
  const startedAt = performance.now();
  await tab.goto(`${url}/console/`, { waitUntil: 'commit' });
  await tab.locator('input[type=password]').waitFor();
  const visibleMs = performance.now() - startedAt;
  await tab.waitForLoadState('networkidle');
  const login = take();
  await tab.locator('input').first().fill(account);
  await tab.locator('input[type=password]').fill(password);
  await tab.locator('input[type=password]').press('Enter');
  await tab.locator('nav, aside').first().waitFor();
  await tab.waitForLoadState('networkidle');
  const start = take();
  await tab.close();
  return { login, start, visibleMs };
}

/** Counts what a tab receives. @returns a function that returns it, and starts again */
async function watchTransfers(tab: Page): Promise<() => Loaded> {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Network.enable');
  let loaded: Loaded = { requests: [], bytes: 0 };
  session.on('Network.requestWillBeSent', ({ request }) => {
    loaded.requests.push(`${request.method} ${new URL(request.url).pathname}`);
  });
  const headerBytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    headerBytes.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loaded.bytes += encodedDataLength - (headerBytes.get(requestId) ?? 0);
  });
  return () => {
    const taken = loaded;
    loaded = { requests: [], bytes: 0 };
    return taken;
  };
}
