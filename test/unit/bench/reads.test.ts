import { expect, test } from '@jest/globals';
import { addReads, countReads } from '../../../bench/growth/reads.ts';

test.each([
  ['what a query evaluated, not what it answered', { ScannedCount: 250, Items: [{}] }, 250],
  ['an item that was found', { Item: {} }, 1],
  ['no item for an empty answer', {}, 0],
  ['items of several keys over all tables', { Responses: { a: [{}, {}], b: [{}] } }, 3],
])('counts %s', (_title, answer, items) => {
  expect(countReads(answer)).toEqual({ requests: 1, items, capacity: 0 });
});

test('adds the capacity of one table and of several', () => {
  expect(countReads({ ConsumedCapacity: { CapacityUnits: 0.5 } }).capacity).toBe(0.5);
  expect(countReads({ ConsumedCapacity: [{ CapacityUnits: 64 }, { CapacityUnits: 1.5 }] }).capacity).toBe(
    65.5,
  );
});

test('adds the reads of a request up', () => {
  const one = { requests: 1, items: 20, capacity: 1.5 };

  expect(addReads(one, one)).toEqual({ requests: 2, items: 40, capacity: 3 });
});
