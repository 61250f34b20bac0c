import { test } from '@jest/globals';
import { hasChromium } from './browser.ts';

export { startBrowser } from './browser.ts';

/**
 * A test that needs a browser. It is skipped if Debian's Chromium is not installed, except under `CI`:
 * `.ci/run` installs it or ends.
 */
export const browserTest = hasChromium || process.env.CI ? test : test.skip;
