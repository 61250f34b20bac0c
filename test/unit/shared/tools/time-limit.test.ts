import '../../../support/no-audit-log.ts';
import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { createRequest } from '../../../support/tool-caller.ts';
import { invoke, TestTool, WritingTool } from './fixture.ts';

const never = () => new Promise<never>(() => {});

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(log, 'info').mockImplementation(() => {});
  jest.spyOn(log, 'error').mockImplementation(() => {});
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Outcome of a call after `ms`; undefined while it runs. */
async function endAfter(ms: number, call: Promise<unknown>): Promise<unknown> {
  let ended: unknown;
  call.then(
    () => {
      ended = 'ok';
    },
    ({ code, params }: AppError) => {
      ended = { code, seconds: params.seconds };
    },
  );
  await jest.advanceTimersByTimeAsync(ms);
  return ended;
}

describe('a tool that hangs', () => {
  test('times out after 15 seconds', async () => {
    expect(await endAfter(14_999, invoke(new TestTool(never)))).toBeUndefined();
    expect(await endAfter(15_000, invoke(new TestTool(never)))).toEqual({
      code: 'tool.timeout',
      seconds: 15,
    });
  });

  test.each([
    [10_000, 8_999, 9],
    [3_500, 2_499, 3],
  ])(
    'times out a second before the end of a function that has %i ms left',
    async (remaining, before, seconds) => {
      const options = { request: createRequest(() => remaining) };

      expect(await endAfter(before, invoke(new TestTool(never), {}, options))).toBeUndefined();
      expect(await endAfter(before + 1, invoke(new TestTool(never), {}, options))).toEqual({
        code: 'tool.timeout',
        seconds,
      });
    },
  );

  test.each([1_000, 0, -5])('does not start with %i ms left', async (remaining) => {
    const handle = jest.fn();

    const ended = await endAfter(
      0,
      invoke(new TestTool(handle), {}, { request: createRequest(() => remaining) }),
    );

    expect(ended).toEqual({ code: 'tool.timeout', seconds: 0 });
    expect(handle).not.toHaveBeenCalled();
  });

  test('gets an aborted signal, and cannot fail before the timeout', async () => {
    let reason: unknown;
    const handle = (_args: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          reject(new Error('aborted'));
        });
      });

    expect(await endAfter(15_000, invoke(new TestTool(handle)))).toMatchObject({ code: 'tool.timeout' });
    expect(reason).toMatchObject({ code: 'tool.timeout' });
  });

  test.each([
    ['answers', () => Promise.resolve(1)],
    ['fails', () => Promise.reject(new Error('too late'))],
  ])('is ignored if it %s after the timeout', async (_title, end) => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const { promise, resolve } = Promise.withResolvers<unknown>();

    const ended = await endAfter(15_000, invoke(new TestTool(() => promise)));
    resolve(end());
    await jest.advanceTimersByTimeAsync(1);
    // Unhandled rejections are reported after the microtasks, in a turn of the real event loop.
    jest.useRealTimers();
    await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', unhandled);

    expect(ended).toMatchObject({ code: 'tool.timeout' });
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('does not run if its authorize hangs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const handle = jest.fn();

    const ended = await endAfter(15_000, invoke(new WritingTool(() => promise, handle)));
    resolve();
    await jest.advanceTimersByTimeAsync(1);

    expect(ended).toMatchObject({ code: 'tool.timeout' });
    expect(handle).not.toHaveBeenCalled();
  });
});

test('a tool that answers leaves no timer behind', async () => {
  await invoke(new TestTool());
  await invoke(new TestTool(() => Promise.reject(new Error('on purpose')))).catch(() => {});

  expect(jest.getTimerCount()).toBe(0);
});
