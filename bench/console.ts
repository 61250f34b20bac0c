import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '../cli/console/build-console.ts';
import { startBrowser } from '../test/browser/browser.ts';
import { type FirstLoad, listExceeded, measureFirstLoad } from '../test/browser/first-load.ts';
import { administrator, startService } from '../test/browser/start-service.ts';

const rounds = 5;
/** From the navigation until the login form is visible, on two cores. */
const visibleLimitMs = 1_500;

/** The first loads of the console by new visitors, against a local server. `median` is the one of median time. */
export async function measureConsole(): Promise<{ loads: FirstLoad[]; median: FirstLoad }> {
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
    return { loads, median: sorted[Math.floor(rounds / 2)] ?? first };
  } finally {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export function renderConsole({ login, start, visibleMs }: FirstLoad): string {
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const toKb = (bytes: number) => `${Math.round(bytes / 1000)} KB`;
  return [
    row('', 'requests', 'bytes, compressed', 'time'),
    row('---', '---', '---', '---'),
    row('until the login form', login.requests.length, toKb(login.bytes), `${Math.round(visibleMs)} ms`),
    row('then until the start page', start.requests.length, toKb(start.bytes), ''),
  ].join('\n');
}

/** The limits that a load exceeds, in words. */
export function listMissedByConsole(load: FirstLoad): string[] {
  const { visibleMs } = load;
  const slow = `the login form after ${Math.round(visibleMs)} ms, of at most ${visibleLimitMs}`;
  return [...listExceeded(load), ...(visibleMs > visibleLimitMs ? [slow] : [])];
}
