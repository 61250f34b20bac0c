import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Gate } from '#shared/http/request-context.ts';
import { api } from '#shared/http/route.ts';
import { call } from './fake-request.ts';

const summary = { zh_CN: '测试', en: 'Test' };

/** Passes when the returned function is called. */
function gateThatWaits() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { gate: jest.fn<Gate>(() => promise), pass: resolve, refuse: reject };
}
const refusing =
  (code: ErrorCode): Gate =>
  async () => {
    throw new AppError(code);
  };
const throwing =
  (code: ErrorCode): Gate =>
  () => {
    throw new AppError(code);
  };

function createRoute(prefetch: () => Promise<string> = async () => 'read') {
  const handler = jest.fn(async ({ prefetched }: { prefetched: string }) => prefetched);
  const route = api.openPost({
    summary,
    query: z.object({ id: z.optional(z.string().check(z.regex(/^\d+$/))) }),
    body: z.strictObject({}),
    data: z.any(),
    prefetch,
    handler,
  });
  return { route, handler };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const unhandled = jest.fn();
beforeEach(() => {
  unhandled.mockClear();
  process.on('unhandledRejection', unhandled);
});
afterEach(async () => {
  await nextTurn();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe('gates', () => {
  test('pass a request to the handler with what they add', async () => {
    const handler = jest.fn(async (_context: unknown) => null);
    const route = api.get({ summary, data: z.null(), handler });
    const gate: Gate = async () => ({ userId: 'u1' });

    const answer = await call(route, {}, [gate]);

    expect(answer.status).toBe(200);
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ userId: 'u1' });
  });

  test('begin in one tick, and the prefetch with them', async () => {
    const [first, second] = [gateThatWaits(), gateThatWaits()];
    const prefetch = jest.fn(async () => 'read');
    const { route } = createRoute(prefetch);

    const answering = call(route, { method: 'POST' }, [first.gate, second.gate]);
    const begun = [first.gate, second.gate, prefetch].map((called) => called.mock.calls.length);

    expect(begun).toEqual([1, 1, 1]);
    first.pass();
    second.pass();
    expect((await answering).json?.data).toBe('read');
  });

  test('refuse only after all reads have ended', async () => {
    const [first, second] = [gateThatWaits(), gateThatWaits()];
    const { route } = createRoute();
    let isAnswered = false;

    const answering = call(route, { method: 'POST' }, [first.gate, second.gate]);
    answering.then(() => {
      isAnswered = true;
    });
    first.refuse(new AppError('request.too_large'));
    await nextTurn();

    expect(isAnswered).toBe(false);
    second.pass();
    expect((await answering).json?.code).toBe('request.too_large');
  });

  test('refuse in their order if a later one throws at once', async () => {
    const first = gateThatWaits();
    const { route } = createRoute();

    const answering = call(route, { method: 'POST' }, [first.gate, throwing('auth.token_missing')]);
    await nextTurn();
    first.refuse(new AppError('request.too_large'));

    expect((await answering).json?.code).toBe('request.too_large');
  });

  test('refuse by a later one if the earlier ones pass', async () => {
    const first = gateThatWaits();
    const { route } = createRoute();

    const answering = call(route, { method: 'POST' }, [first.gate, throwing('auth.token_missing')]);
    first.pass();

    expect((await answering).json?.code).toBe('auth.token_missing');
  });

  test('refuse with the first error in order, for any number of gates that settle in any order', async () => {
    const codes = ['request.too_large', 'auth.token_missing', 'dict.type_exists', 'internal'] as const;
    const plans = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 });
    jest.spyOn(console, 'error').mockImplementation(() => {});

    await fc.assert(
      fc.asyncProperty(plans, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), async (order, pass) => {
        const gates = codes.map(gateThatWaits);
        const { route } = createRoute();

        const answering = call(
          route,
          { method: 'POST' },
          gates.map(({ gate }) => gate),
        );
        for (const index of order) {
          if (pass[index]) gates[index]?.pass();
          else gates[index]?.refuse(new AppError(codes[index] ?? 'internal'));
          await nextTurn();
        }
        const expected = codes.find((_code, index) => !pass[index]) ?? 'ok';

        expect((await answering).json?.code).toBe(expected);
      }),
      { numRuns: 50 },
    );
    jest.restoreAllMocks();
  });

  test('refuse before a query that does not fit', async () => {
    const asked = { method: 'POST', query: 'id=x' } as const;

    const { status, json } = await call(createRoute().route, asked, [refusing('auth.token_expired')]);

    expect([status, json?.code]).toEqual([401, 'auth.token_expired']);
  });

  test('fail with 500 if the error is not a refusal', async () => {
    const { route } = createRoute();
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});

    const answer = await call(route, { method: 'POST' }, [() => Promise.reject(new Error('broken'))]);

    expect(answer.json?.code).toBe('internal');
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});

describe('a prefetch', () => {
  test('does not start if a gate refuses at once', async () => {
    const prefetch = jest.fn(async () => 'read');
    const { route } = createRoute(prefetch);

    const answer = await call(route, { method: 'POST' }, [throwing('auth.token_missing')]);

    expect(answer.json?.code).toBe('auth.token_missing');
    expect(prefetch).not.toHaveBeenCalled();
  });

  test('is dropped if a gate refuses later', async () => {
    const prefetch = jest.fn(async () => 'read');
    const { route, handler } = createRoute(prefetch);

    const answer = await call(route, { method: 'POST' }, [refusing('auth.token_revoked')]);

    expect(prefetch).toHaveBeenCalledTimes(1);
    expect(handler).not.toHaveBeenCalled();
    expect(JSON.stringify(answer)).not.toContain('read');
  });

  test('ends before a gate refuses, so that no read runs after the answer', async () => {
    let isOver = false;
    const { route } = createRoute(async () => {
      await nextTurn();
      isOver = true;
      return 'read';
    });

    const answer = await call(route, { method: 'POST' }, [refusing('auth.token_revoked')]);

    expect(answer.json?.code).toBe('auth.token_revoked');
    expect(isOver).toBe(true);
  });

  test('leaves no unhandled rejection if it fails and a gate refuses', async () => {
    const { route } = createRoute(() => Promise.reject(new Error('away')));

    const answer = await call(route, { method: 'POST' }, [refusing('auth.token_revoked')]);

    expect(answer.json?.code).toBe('auth.token_revoked');
  });

  test('fails the request if it fails and all gates pass', async () => {
    const { route } = createRoute(() => Promise.reject(new AppError('database.unavailable')));
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});

    const answer = await call(route, { method: 'POST' });

    expect(answer.status).toBe(503);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });

  test('does not start if the query is not valid', async () => {
    const prefetch = jest.fn(async () => 'read');
    const { route } = createRoute(prefetch);

    const answer = await call(route, { method: 'POST', query: 'id=x' });

    expect(answer.json?.errors?.map(({ path }) => path)).toEqual(['query.id']);
    expect(prefetch).not.toHaveBeenCalled();
  });

  test('gets the validated query', async () => {
    const prefetch = jest.fn(async (_context: unknown) => 'read');
    const route = api.openGet({
      summary,
      query: z.object({
        type: z.pipe(
          z.string(),
          z.transform((keys: string) => keys.split(',')),
        ),
      }),
      data: z.any(),
      prefetch,
      handler: async ({ prefetched }) => prefetched,
    });

    await call(route, { query: 'type=a,b&unknown=1' });

    expect(prefetch).toHaveBeenCalledWith(expect.objectContaining({ query: { type: ['a', 'b'] } }));
  });
});
