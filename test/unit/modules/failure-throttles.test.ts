import { expect, test } from '@jest/globals';
import { discoverShipped } from '../../support/shipped-modules.ts';

test('every route whose throttle counts failures asks for the captcha, and can count each of them', async () => {
  const { routes } = await discoverShipped();
  const counting = routes.flatMap(({ path, route, throttles }) => {
    const failures = throttles.flatMap(({ throttle }) =>
      throttle.rules.flatMap((rule) => rule.failures ?? []),
    );
    return failures.length > 0 ? [{ path, errors: route.errors ?? [], failures }] : [];
  });

  expect(counting.length).toBeGreaterThan(0);
  for (const { path, errors, failures } of counting) {
    expect({ path, errors }).toEqual({ path, errors: expect.arrayContaining(['auth.captcha_required']) });
    expect({ path, isCounted: failures.some((code) => errors.includes(code)) }).toEqual({
      path,
      isCounted: true,
    });
  }
});
