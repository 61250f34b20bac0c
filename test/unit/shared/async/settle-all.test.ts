import { expect, test } from '@jest/globals';
import { settleAll } from '#shared/async/settle-all.ts';

test('returns all results in order', async () => {
  expect(await settleAll([Promise.resolve(1), 'two', undefined])).toEqual([1, 'two', undefined]);
});

test('rejects after all others have ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const slow = promise.then(() => order.push('the slow one'));
  const all = settleAll([Promise.reject(new Error('refused')), slow]).catch(() => order.push('all'));
  await new Promise(setImmediate);
  resolve();
  await all;
  expect(order).toEqual(['the slow one', 'all']);
});

test('rejects with the first error of the list, not the first in time', async () => {
  const late = new Promise((_resolve, reject) => setImmediate(() => reject(new Error('the first'))));
  await expect(settleAll([late, Promise.reject(new Error('the second'))])).rejects.toThrow('the first');
});
