import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's, the one without windows first: it needs two thirds of the time of the other. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.CHROMIUM_PATH || installed.find((path) => existsSync(path));
export const hasChromium = executablePath !== undefined && existsSync(executablePath);

/** Starts a headless browser that talks to this machine only. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      // The tests' own requests go to the same address.
      '--host-resolver-rules=MAP localhost 127.0.0.1',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
