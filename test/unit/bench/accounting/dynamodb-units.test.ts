import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LocalEngineName } from '#cli/local/dynamodb-engine.ts';
import {
  itemSize,
  readUnits,
  type WireItem,
  type WriteUse,
  writeUnits,
} from '../../../../bench/accounting/dynamodb-units.ts';
import { hasJava, startEngine, tableName } from './engine.ts';

const S = (text: string) => ({ S: text });

test.each([
  ['the names and the texts', { pk: S('a'), name: S('été') }, 2 + 1 + 4 + 5],
  ['numbers, two digits a byte', { n: { N: '12345' }, m: { N: '-7' }, z: { N: '0' } }, 1 + 4 + 1 + 3 + 1 + 1],
  ['truth values and null', { a: { BOOL: true }, b: { NULL: true } }, 4],
  ['lists', { l: { L: [S('ab'), S('c')] } }, 1 + 3 + 2 + 3],
  ['maps', { m: { M: { k: S('v') } } }, 1 + 3 + 1 + 2],
  ['bytes', { b: { B: Buffer.from('abc').toString('base64') } }, 4],
])('the size of an item is that of %s', (_, item, size) => {
  expect(itemSize(item)).toBe(size);
});

test('a read costs a unit for 4 KB, half of it if it need not be the latest, and one for nothing', () => {
  const item = { pk: S('x'.repeat(4096 - 2)) };

  expect([readUnits(item, true), readUnits({ ...item, a: S('b') }, true)]).toEqual([1, 2]);
  expect([readUnits(item, false), readUnits(undefined, true)]).toEqual([0.5, 1]);
});

/** The parts of an item that decide what its writes cost. */
const content = fc.record({
  text: fc.integer({ min: 0, max: 3000 }).map((length) => S('x'.repeat(length))),
  count: fc.integer().map((number) => ({ N: String(number) })),
  flag: fc.boolean().map((flag) => ({ BOOL: flag })),
  list: fc.array(fc.string().map(S), { maxLength: 5 }).map((list) => ({ L: list })),
  map: fc
    .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string().map(S), { maxKeys: 4 })
    .map((map) => ({ M: map })),
});
const listed = fc.option(fc.constantFrom('one', 'two'), { nil: undefined });
const entries = fc.record({ gsi1: listed, gsi2: listed, gsi3: listed });

/** An item of a key; undefined stands for one that is not there. */
const item = fc.option(
  fc.record({ content, entries }).map(
    (given): WireItem => ({
      ...given.content,
      ...Object.fromEntries(
        Object.entries(given.entries).flatMap(([name, value]) =>
          value === undefined ? [] : [[`${name}pk`, S(value)] as const, [`${name}sk`, S('s')] as const],
        ),
      ),
    }),
  ),
  { nil: undefined },
);

interface Capacity {
  CapacityUnits: number;
}

/** What an engine says of the last write, by place. */
function toUnits(answer: Record<string, unknown>): Record<string, number> {
  const [capacity] = [answer.ConsumedCapacity].flat();
  const { Table, GlobalSecondaryIndexes = {} } = Object(capacity);
  const all: [string, Capacity][] = [['table', Table], ...Object.entries<Capacity>(GlobalSecondaryIndexes)];
  return Object.fromEntries(all.map(([place, { CapacityUnits }]) => [place, CapacityUnits]));
}

function sumByPlace(uses: readonly WriteUse[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { place, units } of uses) sums[place] = (sums[place] ?? 0) + units;
  return sums;
}

// dynoxide counts the index writes of a transaction once, DynamoDB Local twice; the larger is taken here.
const engines: [LocalEngineName, readonly boolean[]][] = [['dynoxide', [false]]];
if (hasJava()) engines.push(['dynamodb-local', [false, true]]);

describe.each(engines)('the units of a write are those of %s', (name, kinds) => {
  let engine: Awaited<ReturnType<typeof startEngine>>;
  beforeAll(async () => {
    engine = await startEngine(name);
  }, 60_000);
  afterAll(() => engine.stop());

  test.each(kinds)(
    'in the table and in every index (in a transaction: %s)',
    async (isTransaction) => {
      await fc.assert(
        fc.asyncProperty(item, item, async (before, after) => {
          // DynamoDB Local counts one unit for a transaction that deletes nothing; two are counted here.
          fc.pre(before !== undefined || after !== undefined);
          const key = { pk: S(randomUUID()), sk: S('sk') };
          const common = { TableName: tableName, ReturnConsumedCapacity: 'INDEXES' };
          const [old, next] = [before && { ...before, ...key }, after && { ...after, ...key }];
          if (old) await engine.ask('PutItem', { ...common, Item: old });

          const write = next
            ? { Put: { TableName: tableName, Item: next } }
            : { Delete: { TableName: tableName, Key: key } };
          const answer = isTransaction
            ? await engine.ask('TransactWriteItems', {
                ReturnConsumedCapacity: 'INDEXES',
                TransactItems: [write],
              })
            : await engine.ask(next ? 'PutItem' : 'DeleteItem', {
                ...common,
                ...(next ? { Item: next } : { Key: key }),
              });

          expect(sumByPlace(writeUnits(key.pk.S, old, next, isTransaction))).toEqual(toUnits(answer));
        }),
        { numRuns: 150, seed: 20261122 },
      );
    },
    60_000,
  );
});
