import '../support/environment.ts';
import { describe, expect } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { browserTest, startBrowser } from './chromium.ts';
import { listExceeded, measureFirstLoad } from './first-load.ts';

// The console, as `npm start` serves it.

const { server } = useServer({ login: false, environment: { CONSOLE: 'on' } });
const browser = useRunning(startBrowser, (started) => started.close());

/** Waits until the console is built. */
async function untilBuilt(): Promise<void> {
  const tab = await browser.newPage();
  // Until then, a page that reloads by itself.
  await tab.goto(`${server.url}/`);
  await tab.locator('input[type=password]').waitFor({ timeout: 60_000 });
  await tab.close();
}

describe('the console', () => {
  browserTest(
    'opens without an error, a violation of its policy, or a request to another host',
    async () => {
      await untilBuilt();
      const tab = await browser.newPage();
      const [hosts, faults] = [new Set<string>(), [] as string[]];
      tab.on('request', (request) => hosts.add(new URL(request.url()).host));
      tab.on('pageerror', ({ message }) => faults.push(message));
      // Violations of the policy are among the errors.
      tab.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) faults.push(message.text());
      });

      const answer = await tab.goto(`${server.url}/console/login`, { waitUntil: 'networkidle' });

      await tab.locator('input[type=password]').waitFor();
      expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
      expect(faults).toEqual([]);
      expect([...hosts]).toEqual([new URL(server.url).host]);
      await tab.close();
    },
    120_000,
  );

  browserTest(
    'shows rich text in a sandboxed frame under its policy, without its scripts',
    async () => {
      await untilBuilt();
      const tab = await browser.newPage();
      await tab.goto(`${server.url}/console/login`);

      await tab.evaluate(`{
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', '');
        frame.srcdoc = '<p>Hello</p><img src="${server.url}/nothing.png" onerror="top.ran = 1"><script>top.ran = 1</script>';
        document.body.append(frame);
      }`);

      await tab.frameLocator('iframe').getByText('Hello').waitFor();
      expect(await tab.evaluate('globalThis.ran')).toBeUndefined();
      await tab.close();
    },
    120_000,
  );

  browserTest(
    'shows the login form and the start page after few bytes and requests',
    async () => {
      await untilBuilt();

      const load = await measureFirstLoad(browser, server.url, administrator);

      expect(load.login.bytes).toBeGreaterThan(50_000);
      expect(listExceeded(load)).toEqual([]);
    },
    120_000,
  );
});
