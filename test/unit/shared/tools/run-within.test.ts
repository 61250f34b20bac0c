import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runWithin } from '#shared/tools/run-within.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const expire = () => new Error('over');

test('work that ends by its signal does not answer before the expiry', async () => {
  const running = runWithin(10, expire, (signal) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    return promise;
  });
  const ended = expect(running).rejects.toThrow('over');

  await jest.advanceTimersByTimeAsync(10);

  await ended;
});

test('work that answers in time is answered', async () => {
  const running = runWithin(10, expire, () => new Promise((resolve) => setTimeout(resolve, 9, 'done')));

  await jest.advanceTimersByTimeAsync(9);

  expect(await running).toBe('done');
});
