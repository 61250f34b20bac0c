import { expect, test } from '@jest/globals';
import { listExcess, listFalls, listRises, toRoundTrips } from './budget.ts';
import type { Recording } from './waves.ts';

const record = (...waves: string[][]): Recording => ({ waves, unawaited: [], timers: [] });
const travels = {
  hit: record(['cache: MGET a']),
  miss: record(['cache: MGET a'], ['database: GetItem A', 'cache: SET b']),
};
const recorded = { hit: 1, miss: 2, hitRequests: 1, missRequests: 3 };

test('records waves and requests', () => {
  expect(toRoundTrips(travels)).toEqual(recorded);
});

test('accepts the recorded number, or less', () => {
  expect(listRises('a-list', travels, recorded)).toEqual([]);
  expect(listRises('a-list', { hit: record(), miss: record() }, recorded)).toEqual([]);
});

test('names the function of a rise, and its requests wave by wave', () => {
  const hit = record(['cache: MGET a'], ['database: GetItem A']);

  expect(listRises('a-list', { ...travels, hit }, recorded)).toEqual([
    [
      'a-list, everything cached: 2 round trips in 2 requests, at most 1 in 1 requests',
      '  1. cache: MGET a',
      '  2. database: GetItem A',
    ].join('\n'),
  ]);
});

test('counts more requests in a wave as a rise too', () => {
  const miss = record(['cache: MGET a', 'cache: GET c'], ['database: GetItem A', 'cache: SET b']);

  expect(listRises('a-list', { ...travels, miss }, recorded)).toEqual([
    expect.stringMatching(/^a-list, nothing cached: 2 round trips in 4 requests, at most 2 in 3 requests\n/),
  ]);
});

test('counts an unrecorded function as a rise', () => {
  expect(listRises('a-list', travels)).toEqual([
    expect.stringMatching(/^a-list, everything cached: 1 round trips in 1 requests, nothing is recorded\n/),
    expect.stringMatching(/^a-list, nothing cached: .*, nothing is recorded\n/),
  ]);
});

test('reports a fall', () => {
  expect(listFalls('a-list', travels, { ...recorded, missRequests: 4 })).toEqual([
    'a-list: {"hit":1,"miss":2,"hitRequests":1,"missRequests":3}, {"hit":1,"miss":2,"hitRequests":1,"missRequests":4} before',
  ]);
  expect(listFalls('a-list', travels, recorded)).toEqual([]);
  expect(listFalls('a-list', travels)).toEqual([]);
});

test('checks a recording against a bound without a number of requests', () => {
  expect(listExcess('login', travels.miss, { trips: 2 })).toEqual([]);
  expect(listExcess('login', travels.miss, { trips: 1 })).toHaveLength(1);
});
