import { expect, test } from '@jest/globals';
import { settleAll } from '#shared/async/settle-all.ts';

test('gives what all come to, in their order', async () => {
  expect(await settleAll([Promise.resolve(1), 'two', undefined])).toEqual([1, 'two', undefined]);
});

test('rejects only when the others have ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const slow = promise.then(() => order.push('the slow one'));
  const all = settleAll([Promise.reject(new Error('refused')), slow]).catch(() => order.push('all'));
  await new Promise(setImmediate);
  resolve();
  await all;
  expect(order).toEqual(['the slow one', 'all']);
});

test('rejects as the first in the list does, whichever was first in time', async () => {
  const late = new Promise((_resolve, reject) => setImmediate(() => reject(new Error('the first'))));
  await expect(settleAll([late, Promise.reject(new Error('the second'))])).rejects.toThrow('the first');
});
