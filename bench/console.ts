import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '../cli/console/build-console.ts';
import { startBrowser } from '../test/browser/browser.ts';
import {
  type FirstLoad,
  listExceeded,
  measureFirstLoad,
  measureSlowLogin,
} from '../test/browser/first-load.ts';
import { administrator, startService } from '../test/browser/start-service.ts';

const rounds = 5;
/** From the navigation until the login form is visible, on two cores. */
const visibleLimitMs = 1_500;
/** The same over 400 kbit/s and 400 ms. */
const slowLimitMs = 4_000;

/** The first loads of the console by new visitors, against a local server. `median` is the one of median time. */
export async function measureConsole(): Promise<{ loads: FirstLoad[]; median: FirstLoad; slowMs: number }> {
  await buildConsole();
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-console-'));
  const service = await startService(dataDir);
  const browser = await startBrowser();
  try {
    // The functions are loaded by now, as on a server in use.
    const first = await measureFirstLoad(browser, service.url, administrator);
    const loads = [first];
    while (loads.length < rounds) loads.push(await measureFirstLoad(browser, service.url, administrator));
    const sorted = loads.toSorted((a, b) => a.visibleMs - b.visibleMs);
    const slowMs = await measureSlowLogin(browser, service.url);
    return { loads, median: sorted[Math.floor(rounds / 2)] ?? first, slowMs };
  } finally {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export function renderConsole({ login, start, visibleMs }: FirstLoad, slowMs: number): string {
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const toKb = (bytes: number) => `${Math.round(bytes / 1000)} KB`;
  const toMs = (time: number) => `${Math.round(time)} ms`;
  return [
    row('', 'requests', 'bytes, compressed', 'login form visible'),
    row('---', '---', '---', '---'),
    row('login form, and the frame of pages', login.requests.length, toKb(login.bytes), toMs(visibleMs)),
    row('then until the start page', start.requests.length, toKb(start.bytes), ''),
    row('login form on 400 kbit/s and 400 ms', '', '', toMs(slowMs)),
  ].join('\n');
}

/** The limits that a load exceeds, in words. */
export function listMissedByConsole(load: FirstLoad, slowMs: number): string[] {
  const exceeds = (what: string, time: number, limit: number): string[] =>
    time > limit ? [`the login form${what} after ${Math.round(time)} ms, of at most ${limit}`] : [];
  return [
    ...listExceeded(load),
    ...exceeds('', load.visibleMs, visibleLimitMs),
    ...exceeds(' on a slow connection', slowMs, slowLimitMs),
  ];
}
