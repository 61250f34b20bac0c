import '../../support/environment.ts';
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '#cli/console/build-console.ts';
import type { Access } from '../../support/access.ts';
import { administrator } from '../../support/administrator.ts';
import { type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { connect } from '../../support/use-server.ts';
import { startBrowser } from '../browser.ts';
import { type Appearance, type Credentials, chooseAppearance, keepLogin } from './log-in.ts';
import { watchFaults } from './watch-faults.ts';

// Other tests keep the machine busy at the same time.
jest.setTimeout(120_000);

/** A browser tab on the console. */
export interface Tab {
  page: Page;
  /**
   * Says that a request will be refused or will fail: `409 POST /adminapi/system/role/edit`, or
   * `failed GET /health`. What was said and does not happen is a fault too.
   */
  expects(...failures: string[]): void;
}

export interface TabOptions extends Appearance, Omit<BrowserContextOptions, 'locale'> {
  /** Below `/console/`. @default the start page */
  path?: string;
  /** @default the test server's administrator; `null` shows the login form */
  as?: Credentials | null;
}

/** The console of a service, and tabs on it. After each test, its tabs are checked for faults, and closed. */
export interface Desk extends Access {
  url: string;
  server: LocalServer;
  browser: Browser;
  /** Opens a tab as a new visitor who has logged in before. */
  open(options?: TabOptions): Promise<Tab>;
  /** Calls an admin route as the test server's administrator. @returns `data` of a good answer */
  call(path: string, body?: unknown): Promise<unknown>;
}

interface OpenTab {
  expected: string[];
  faults(): string[];
  close(): Promise<void>;
}

/**
 * Starts a service and a browser for the tests of a file.
 *
 * @param prepare runs before the service starts, and returns its environment
 * @param cleanUp runs after it has stopped
 * @param root folder of a copy of the project, whose service builds its own console
 */
export function useDesk(
  prepare: () => Promise<NodeJS.ProcessEnv> = async () => ({}),
  cleanUp: () => unknown = () => {},
  root?: string,
): Desk {
  const tabs: OpenTab[] = [];
  const desk: Partial<Desk> = {};
  const all: Desk = Object.setPrototypeOf({ open, call }, desk);

  beforeAll(async () => {
    const [environment] = await Promise.all([prepare(), !root && buildConsole()]);
    const started = [
      startLocalServer({ environment: { CONSOLE: 'on', ...environment }, ...(root && { root }) }),
      startBrowser(),
    ] as const;
    const [server, browser] = await Promise.all(started);
    if (root) await server.prints(/^Console: http/m);
    Object.assign(desk, {
      server,
      browser,
      url: server.url.replace('127.0.0.1', 'localhost'),
      ...connect(server),
    });
  }, 180_000);
  afterEach(async () => {
    const open = tabs.splice(0);
    const found = open.map(({ faults }) => faults().sort());
    await Promise.all(open.map(({ close }) => close()));
    expect(found).toEqual(open.map(({ expected }) => expected.sort()));
  });
  afterAll(async () => {
    await Promise.all([desk.browser?.close(), desk.server?.stop()]);
    await cleanUp();
  });

  async function open(options: TabOptions = {}): Promise<Tab> {
    const { locale = 'en', theme = 'light', path = '', as = administrator, ...context } = options;
    const session = await all.browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
    session.setDefaultTimeout(40_000);
    const page = await session.newPage();
    const expected: string[] = [];
    const faults = await watchFaults(page, all.url);
    tabs.push({ expected, faults, close: () => session.close() });
    await chooseAppearance(page, { locale, theme });
    if (as) await keepLogin(page, await readToken(as));
    await page.goto(`${all.url}/console/${path}`);
    if (as) await page.locator('#content').waitFor();
    return { page, expects: (...failures) => expected.push(...failures) };
  }

  async function readToken({ account, password }: Credentials): Promise<string> {
    const { data } = await all.client.post('/adminapi/system/login/account', { account, password });
    return data.token;
  }

  async function call(path: string, body?: unknown): Promise<unknown> {
    if (!all.admin.token) await all.logInAgain();
    const url = `/adminapi/${path}`;
    const answer = await (body === undefined ? all.admin.get(url) : all.admin.post(url, body));
    expect(answer).toMatchObject({ code: 'ok', errors: [] });
    return answer.data;
  }
  return all;
}
