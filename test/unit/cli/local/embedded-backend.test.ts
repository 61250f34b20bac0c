import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createEmbeddedBackend } from '../../../../cli/local/upstash/embedded/embedded-backend.ts';
import type { RedisBackend, RedisCommand } from '../../../../cli/local/upstash/redis-backend.ts';

let backend: RedisBackend;

beforeEach(async () => {
  backend = await createEmbeddedBackend();
});

afterEach(() => backend.close());

const command = (line: string): RedisCommand => {
  const [name = '', ...args] = line.split(' ');
  return { name, args };
};

test('runs what is asked in one tick one after another', async () => {
  const transaction = ['INCR n', 'EXPIRE n 10', 'INCR n'].map(command);

  const outcomes = await Promise.all([1, 2, 3].map(() => backend.transact(transaction)));

  expect(outcomes).toEqual(
    [1, 3, 5].map((count) => [{ result: count }, { result: 1 }, { result: count + 1 }]),
  );
});

test('returns keys of one scan position together', async () => {
  // These two have the same first 32 bits of SHA1.
  await backend.run(['MSET key:67325 a key:103114 b other c'].map(command));

  const seen: unknown[] = [];
  let cursor = '0';
  for (let page = 0; page < 2; page += 1) {
    const [outcome] = await backend.run([command(`SCAN ${cursor} COUNT 1`)]);
    const [next, keys] =
      outcome && 'result' in outcome && Array.isArray(outcome.result) ? outcome.result : [];
    cursor = String(next);
    seen.push(...[keys].flat());
  }

  expect(cursor).toBe('0');
  expect(seen.sort()).toEqual(['key:103114', 'key:67325', 'other']);
});

test('starts empty, whatever another one holds', async () => {
  await backend.run([command('SET k v')]);
  const other = await createEmbeddedBackend();

  expect(await other.run([command('DBSIZE')])).toEqual([{ result: 0 }]);

  await other.close();
});
