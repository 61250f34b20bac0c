import { existsSync } from 'node:fs';
import { test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
const hasChromium = existsSync(executablePath);

/**
 * A test that needs a browser. It is skipped if Debian's Chromium is not installed, except under `CI`:
 * `.ci/run` installs it or ends.
 */
export const browserTest = hasChromium || process.env.CI ? test : test.skip;

/** Starts a headless browser that talks to this machine only. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
