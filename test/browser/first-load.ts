import type { Browser, Page } from 'playwright-core';

/** What a browser loads until the login form is visible, and then until the start page is. */
export interface FirstLoad {
  login: Loaded;
  /** Without what was loaded for the login form. */
  start: Loaded;
  /** From the navigation until the login form is visible. */
  visibleMs: number;
}

/** How long no request may be under way until a page counts as complete. */
const quietMs = 500;

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
  const visibleMs = await showLogin(tab, url);
  const login = await take();
  await tab.locator('input').first().fill(account);
  await tab.locator('input[type=password]').fill(password);
  await tab.locator('input[type=password]').press('Enter');
  await tab.locator('nav, aside').first().waitFor();
  const start = await take();
  await tab.close();
  return { login, start, visibleMs };
}

/** Opens the login form as a new visitor over 400 kbit/s and 400 ms. @returns milliseconds until it is visible */
export async function measureSlowLogin(browser: Browser, url: string): Promise<number> {
  const tab = await browser.newPage({ locale: 'en' });
  const session = await tab.context().newCDPSession(tab);
  await session.send('Network.enable');
  const throughput = 400_000 / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  const visibleMs = await showLogin(tab, url);
  await tab.close();
  return visibleMs;
}

/** @returns milliseconds from the navigation until the login form is visible */
async function showLogin(tab: Page, url: string): Promise<number> {
  const startedAt = performance.now();
  await tab.goto(`${url}/console/`, { waitUntil: 'commit' });
  await tab.locator('input[type=password]').waitFor();
  return performance.now() - startedAt;
}

/**
 * The limits that a load exceeds, in words: 200 KB and 12 requests until the login form is visible, in all 300 KB and 20
 * requests until the start page is complete.
 */
export function listExceeded({ login, start }: FirstLoad): string[] {
  const complete: Loaded = {
    requests: [...login.requests, ...start.requests],
    bytes: login.bytes + start.bytes,
  };
  return [
    ...compare('the login form', login, { bytes: 200_000, requests: 12 }),
    ...compare('the complete start page', complete, { bytes: 300_000, requests: 20 }),
  ];
}

function compare(
  until: string,
  { bytes, requests: { length: requests } }: Loaded,
  most: { bytes: number; requests: number },
): string[] {
  return [
    ...(bytes > most.bytes ? [`${bytes} bytes until ${until}, of at most ${most.bytes}`] : []),
    ...(requests > most.requests ? [`${requests} requests until ${until}, of at most ${most.requests}`] : []),
  ];
}

/** Counts what a tab receives. @returns a function that waits until nothing more comes, returns it, and starts again */
export async function watchTransfers(tab: Page): Promise<() => Promise<Loaded>> {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Network.enable');
  let loaded: Loaded = { requests: [], bytes: 0 };
  const pending = new Set<string>();
  let lastAt = performance.now();
  const end = ({ requestId }: { requestId: string }) => {
    pending.delete(requestId);
    lastAt = performance.now();
  };
  session.on('Network.loadingFinished', end);
  session.on('Network.loadingFailed', end);
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    pending.add(requestId);
    loaded.requests.push(`${request.method} ${new URL(request.url).pathname}`);
  });
  const headerBytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    headerBytes.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loaded.bytes += encodedDataLength - (headerBytes.get(requestId) ?? 0);
  });
  return async () => {
    while (pending.size > 0 || performance.now() - lastAt < quietMs) await tab.waitForTimeout(quietMs / 5);
    const taken = loaded;
    loaded = { requests: [], bytes: 0 };
    return taken;
  };
}
