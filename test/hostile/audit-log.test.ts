import { beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import type { Item } from '#shared/db/items.ts';
import { useDatabase } from '../support/database.ts';
import { MemoryLog } from '../unit/modules/system/audit/memory-log.ts';
import { createRealLog, findAll, type RealLog } from './audit/forged-log.ts';

// Someone who may write to the table, but has neither the key nor the end outside of the table.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

let real: RealLog;
beforeAll(async () => {
  real = await createRealLog();
}, 60_000);

const seed = Number(process.env.HOSTILE_SEED ?? 1);
const tries = 10_000;
const kinds = { entry: /^AUDIT#/, digest: /^AUDIT_DIGEST#/, end: /^AUDIT_DIGEST$/, count: /^AUDIT_COUNT#/ };
const keyOf = ({ pk, sk }: Item) => `${pk} ${sk}`;

test('the log as it was written has no finding, and items of every kind', async () => {
  expect(await findAll(real.log)).toEqual([]);
  for (const kind of Object.values(kinds)) {
    expect(real.log.items.filter(({ pk }) => kind.test(String(pk))).length).toBeGreaterThan(0);
  }
  for (const kind of [kinds.end, kinds.count]) {
    expect(real.earlier.filter(({ pk }) => kind.test(String(pk))).length).toBeGreaterThan(3);
  }
});

type Forgery = (items: Item[]) => Item[];
/** Numbers that choose among items of any number. */
const choice = fc.nat();
const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

const replace = (items: readonly Item[], item: Item) => [
  ...items.filter((each) => keyOf(each) !== keyOf(item)),
  item,
];

const removeSome = fc.array(choice, { minLength: 1, maxLength: 8 }).map(
  (chosen): Forgery =>
    (items) => {
      const gone = new Set(chosen.map((number) => pick(items, number)));
      return items.filter((item) => !gone.has(item));
    },
);

/** All of a kind, or of several: all digests, all counts, the whole log. */
const removeKinds = fc.subarray(Object.values(kinds), { minLength: 1 }).map(
  (chosen): Forgery =>
    (items) =>
      items.filter(({ pk }) => !chosen.some((kind) => kind.test(String(pk)))),
);

/** The entries, digests and counts from a time on, with the end as it was at that time: a consistent tail. */
const removeTail = fc.tuple(choice, fc.boolean()).map(
  ([number, isEndKept]): Forgery =>
    (items) => {
      const ends = real.earlier.filter(({ pk }) => kinds.end.test(String(pk)));
      const end = pick(ends, number);
      const heads = items.filter(
        ({ pk, sk }) => kinds.digest.test(String(pk)) && String(sk) > String(end.to),
      );
      const cut = Date.parse(String(end.to));
      const isAfter = (item: Item) =>
        (kinds.entry.test(String(item.pk)) && Date.parse(String(item.at)) >= cut) || heads.includes(item);
      const rest = items.filter((item) => !isAfter(item));
      return isEndKept ? rest : replace(rest, end);
    },
);

/** The log begins again: everything before a digest is gone. */
const removeBeginning = choice.map(
  (number): Forgery =>
    (items) => {
      const heads = items.filter(
        ({ pk, sequence }) => kinds.digest.test(String(pk)) && sequence !== undefined,
      );
      const cut = String(pick([...heads, {}], number).from ?? '');
      const isBefore = (item: Item) =>
        (kinds.entry.test(String(item.pk)) && String(item.at) < cut) ||
        (heads.includes(item) && String(item.to) <= cut);
      return items.filter((item) => !isBefore(item));
    },
);

const replay = fc.array(choice, { minLength: 1, maxLength: 4 }).map(
  (chosen): Forgery =>
    (items) =>
      chosen.reduce<Item[]>((all, number) => replace(all, pick(real.earlier, number)), items),
);

const value = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, true, '', 0, 1));
const edit = fc.tuple(choice, choice, value).map(
  ([which, where, changed]): Forgery =>
    (items) => {
      const item = pick(items, which);
      const name = pick([...Object.keys(item).filter((each) => !['pk', 'sk'].includes(each)), 'more'], where);
      return replace(items, { ...item, [name]: changed });
    },
);
const expire = fc.array(choice, { minLength: 1, maxLength: 5 }).map(
  (chosen): Forgery =>
    (items) =>
      chosen.reduce<Item[]>((all, number) => replace(all, { ...pick(all, number), ttl: 1 }), items),
);
/** A copy under another key, as an invented item. */
const invent = fc.tuple(choice, fc.integer({ min: 0, max: 99 })).map(
  ([which, more]): Forgery =>
    (items) => {
      const item = pick(items, which);
      return kinds.end.test(String(item.pk)) ? items : [...items, { ...item, sk: `${item.sk}${more}` }];
    },
);

const forgery = fc.array(
  fc.oneof(removeSome, removeKinds, removeTail, removeBeginning, replay, edit, expire, invent),
  { minLength: 1, maxLength: 3 },
);

const format = (items: readonly Item[]) =>
  items.map((item) => JSON.stringify(Object.entries(item).sort())).sort();

test('audit:verify names every change that is made without the key', async () => {
  const original = JSON.stringify(format(real.log.items));
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(forgery, async (steps) => {
      const log = new MemoryLog();
      log.kept = real.log.kept;
      log.items = steps.reduce((items, step) => (items[0] ? step(items) : items), real.log.items);
      if (JSON.stringify(format(log.items)) === original) return;
      checked += 1;
      expect(await findAll(log)).not.toEqual([]);
    }),
    { numRuns: tries, seed },
  );
  expect(checked).toBeGreaterThan(tries * 0.9);
}, 120_000);
