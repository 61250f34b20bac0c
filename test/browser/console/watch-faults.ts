import type { Page, Request } from 'playwright-core';

/**
 * Notes what an operator's browser must not see: errors and warnings, violations of the policy, requests to another
 * host, refused and failed requests.
 *
 * @param url of the service
 * @returns what was noted so far
 */
export async function watchFaults(page: Page, url: string): Promise<() => string[]> {
  const faults: string[] = [];
  const own = new URL(url).host;
  const describe = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`;

  page.on('pageerror', ({ message }) => faults.push(`error: ${message}`));
  page.on('console', (message) => {
    const isFault = ['error', 'warning'].includes(message.type());
    // The browser's own words on a refused or failed request, which is noted below.
    if (isFault && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && host !== own)
      faults.push(`to ${host}: ${describe(request)}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${describe(response.request())}`);
  });
  page.on('requestfailed', (request) => {
    // The page has ended it: a newer filter, a page that is left, a cancelled upload.
    const isEnded = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isEnded) faults.push(`failed ${describe(request)}`);
  });
  await page.exposeFunction('noteViolation', (text: string) => faults.push(text));
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      noteViolation('policy: ' + violatedDirective + ' ' + blockedURI);
    });`,
  });
  return () => [...faults];
}
