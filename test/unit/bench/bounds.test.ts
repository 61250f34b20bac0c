import { describe, expect, test } from '@jest/globals';
import { listBroken } from '../../../bench/bounds.ts';
import { type ByHandler, handlerNames } from '../../../bench/handlers.ts';
import type { Result } from '../../../bench/measure.ts';
import { createResult } from './create-result.ts';

/** The broken bounds of a public read whose measurement differs in some values. */
function listBrokenWith(change: (result: Result) => void): string[] {
  const result = createResult();
  change(result);
  return listBroken(result);
}

describe('bounds', () => {
  test('hold where every one is just met', () => {
    expect(listBroken(createResult())).toEqual([]);
  });

  test.each<[(result: Result) => void, string]>([
    [({ size }) => (size.ours.start += 1), 'bytes at start: 131073, at most 131072'],
    [
      ({ cold }) => (cold.processMs.ours.ratio = 0.721),
      "cold start over the bare handler's: 0.721, at most 0.72",
    ],
    [
      ({ cold }) => (cold.residentMb.ours.ratio = 1.26),
      "memory over the empty handler's: 1.26, at most 1.25",
    ],
    [({ warm }) => (warm.p50.ours.ratio = 0.73), "warm p50 over the bare handler's: 0.73, at most 0.72"],
    [({ warm }) => (warm.p99.ours.ratio = 1.2), "warm p99 over the bare handler's: 1.2, at most 1"],
    [({ travel }) => (travel.hit.ours.roundTrips = 2), 'round trips on a hit: 2, at most 1'],
    [({ travel }) => (travel.miss.roundTrips = 3), 'round trips on a miss: 3, at most 2'],
    [({ travel }) => (travel.hit.ours.requests.redis = 3), 'requests to the cache on a hit: 3, at most 2'],
    [
      ({ travel }) => (travel.hit.ours.requests.dynamodb = 1),
      'requests to the database on a hit: 1, at most 0',
    ],
    [({ load }) => (load.ours.isSdkLoaded = true), 'the AWS SDK is loaded on a hit'],
    [({ load }) => (load.ours.isUndiciLoaded = true), 'undici is loaded on a hit'],
  ])('name what is broken, row %#', (change, text) => {
    expect(listBrokenWith(change)).toEqual([`system-api-config-dict: ${text}`]);
  });

  test('hold the whole bundle of a list, which may load the SDK', () => {
    const result = createResult();
    const list: Result = { ...result, label: 'list', functionName: 'system-admin-file-list' };
    list.load.ours.isSdkLoaded = true;
    list.cold.processMs.ours.ratio = 0.68;

    list.size.ours.all = 400 * 1024;
    expect(listBroken(list)).toEqual([]);
    list.size.ours.all += 1;
    expect(listBroken(list)).toEqual(['system-admin-file-list: bytes in all: 409601, at most 409600']);
  });

  test('do not bind the others', () => {
    const result = createResult();
    for (const name of handlerNames.filter((each) => each !== 'ours')) {
      for (const series of [result.cold.processMs, result.warm.p50] satisfies ByHandler<unknown>[])
        series[name].ratio = 100;
    }

    expect(listBroken(result)).toEqual([]);
  });
});
