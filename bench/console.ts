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
import { measurePageChanges, type PageChanges } from './page-changes.ts';

const rounds = 5;
/** From the navigation until the login form is visible, on two cores. */
const visibleLimitMs = 1_500;
/** The same over 400 kbit/s and 400 ms. */
const slowLimitMs = 4_000;
/** Half of the page changes by the menu take at most this. */
const changeLimitMs = 100;
/** The heap 200 page changes later, over the one before: room for caches that fill. */
const heapLimit = 1.1;

export interface ConsoleFigures {
  loads: FirstLoad[];
  /** The load of median time. */
  load: FirstLoad;
  slowMs: number;
  changes: PageChanges;
}

/** The first loads of the console by new visitors, and an operator's page changes, against a local server. */
export async function measureConsole(): Promise<ConsoleFigures> {
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
    const changes = await measurePageChanges(browser, service.url, administrator);
    return { loads, load: sorted[Math.floor(rounds / 2)] ?? first, slowMs, changes };
  } finally {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const toMs = (time: number) => `${Math.round(time)} ms`;
const toMb = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

export function renderConsole({
  load: { login, start, visibleMs },
  slowMs,
  changes,
}: ConsoleFigures): string {
  const toKb = (bytes: number) => `${Math.round(bytes / 1000)} KB`;
  const { before, after } = changes.heapBytes;
  return [
    row('', 'requests', 'bytes, compressed', 'login form visible'),
    row('---', '---', '---', '---'),
    row('login form, and the frame of pages', login.requests.length, toKb(login.bytes), toMs(visibleMs)),
    row('then until the start page', start.requests.length, toKb(start.bytes), ''),
    row('login form on 400 kbit/s and 400 ms', '', '', toMs(slowMs)),
    '',
    row('page changes by the menu', ''),
    row('---', '---'),
    row('from the click until the data is shown, p50 of 200', toMs(changes.p50Ms)),
    row('heap, median during 200 changes', toMb(before)),
    row('heap, median during the next 200', toMb(after)),
  ].join('\n');
}

/** The limits that are exceeded, in words. */
export function listMissedByConsole({ load, slowMs, changes }: ConsoleFigures): string[] {
  const exceeds = (what: string, value: number, limit: number, unit: string): string[] =>
    value > limit ? [`${what}: ${Number(value.toFixed(2))}${unit}, of at most ${limit}`] : [];
  const { before, after } = changes.heapBytes;
  return [
    ...listExceeded(load),
    ...exceeds('the login form is visible', load.visibleMs, visibleLimitMs, ' ms'),
    ...exceeds('the login form on a slow connection', slowMs, slowLimitMs, ' ms'),
    ...exceeds('a page change, p50', changes.p50Ms, changeLimitMs, ' ms'),
    ...exceeds('the heap during 200 page changes over the 200 before', after / before, heapLimit, ''),
  ];
}
