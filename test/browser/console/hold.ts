import type { Page, Route } from 'playwright-core';

/**
 * Holds the next answer to a request back, as a slow network does.
 *
 * @returns lets the answer come, and resolves after the page has dealt with it
 */
export async function holdAnswer(page: Page, url: RegExp): Promise<() => Promise<void>> {
  const [late, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  await page.route(url, async (route: Route) => {
    if (isHeld) return route.fallback();
    isHeld = true;
    const response = await route.fetch();
    await late.promise;
    await route.fulfill({ response });
    sent.resolve();
  });
  return async () => {
    late.resolve();
    await sent.promise;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
}
