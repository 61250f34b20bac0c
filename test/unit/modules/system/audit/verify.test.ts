import '../../../../support/environment.ts';
import { hash } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { chunkPartition } from '#modules/System/audit/digest.ts';
import type { Finding } from '#modules/System/audit/verify/findings.ts';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { toAuditItem } from '#shared/audit/new-entry.ts';
import { environment } from '#shared/config/environment.ts';
import type { Item } from '#shared/db/items.ts';
import { isChunk, isDigest, isEntry, MemoryLog, newEntry } from './memory-log.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 3, 10);
const at = (hours: number) => start + hours * hour;
const iso = (time: number) => new Date(time).toISOString();
const month = '2026-11';
const perHour = 6;

/** A log of four hours, of which the last is not closed yet. */
function createLog(days = 200): { log: MemoryLog; entries: StoredEntry[] } {
  const log = new MemoryLog();
  const entries: StoredEntry[] = [];
  for (let each = 0; each < 4; each += 1) {
    const own = Array.from({ length: perHour }, (_, index) =>
      log.add(newEntry(at(each) + (index * hour) / perHour, { request_id: `${each} ${index}` }, days)),
    );
    entries.push(...own);
    if (each < 3) log.close(at(each), at(each + 1), own);
  }
  return { log, entries };
}

const find = async (log: MemoryLog, now = at(4)): Promise<Finding | undefined> =>
  (await verifyMonth(month, log, now)).finding;
const closed = 3 * perHour;

describe('audit:verify', () => {
  test('finds nothing in a log as it was written', async () => {
    const { log, entries } = createLog();

    const { finding, ...counts } = await verifyMonth(month, log, at(4));

    expect(finding).toBeUndefined();
    expect(counts).toMatchObject({ entries: entries.length, digests: 3, last: { to: iso(at(3)) } });
  });

  test('finds nothing in an empty log', async () => {
    expect(await verifyMonth(month, new MemoryLog(), at(4))).toEqual({
      ...{ finding: undefined, notices: [], entries: 0, digests: 0, last: undefined },
    });
  });

  test.each<[string, (item: Item) => boolean, RegExp]>([
    ['an entry', isEntry, /^entry_(changed|key_unknown)$/],
    ['a digest', isDigest, /^digest_(changed|removed|missing|key_unknown)$/],
    ['a part of a digest', isChunk, /^digest_changed$/],
  ])('names %s of which any byte was changed', async (_name, isOf, kind) => {
    const { log } = createLog();
    const places = log.items.filter(isOf).flatMap(listBytes);

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.integer({ min: 1, max: 127 }), async (place, flip) => {
        const undo = flipByte(place, flip);
        const finding = await find(log);
        undo();

        expect(finding?.kind).toMatch(kind);
        expect(finding?.location).toBe(locationOf(log, place.item));
      }),
      { numRuns: 1000 },
    );
    expect(await find(log)).toBeUndefined();
  });

  test('names the first of an entry that was moved, and the place that it was moved to', async () => {
    const { log, entries } = createLog();
    const keys = log.items.filter(isEntry).slice(0, closed).flatMap(listKeys);

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), fc.integer({ min: 1, max: 127 }), async (place, flip) => {
        const id = String(place.item.sk);
        const undo = flipByte(place, flip);
        const moved = String(place.item.sk);
        const finding = await find(log);
        undo();

        const isBefore = moved < id;
        expect(finding).toEqual(
          isBefore ? { kind: 'entry_inserted', location: moved } : { kind: 'entry_removed', location: id },
        );
      }),
      { numRuns: 500 },
    );
    expect(entries).toHaveLength(4 * perHour);
  });

  test('names the first of the entries that were removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(closed - 1), { minLength: 1 }), async (removed) => {
        const { log, entries } = createLog();
        const ids = removed.map((index) => entries[index]?.id);
        log.items = log.items.filter(({ sk }) => !ids.includes(String(sk)));

        expect(await find(log)).toEqual({ kind: 'entry_removed', location: ids.sort()[0] });
      }),
      { numRuns: 100 },
    );
  });

  test('names an invented entry in any place', async () => {
    const { log, entries } = createLog();
    const [first] = entries;

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -day, max: 3 * hour - 1 }), async (offset) => {
        const mac = first?.mac ?? '';
        const item = toAuditItem({ ...newEntry(start + offset), mac });
        log.items.push(item);
        const finding = await find(log);
        log.items.pop();

        expect(finding).toEqual({ kind: 'entry_inserted', location: item.sk });
      }),
      { numRuns: 200 },
    );
  });

  test('names an invented entry after the last digest', async () => {
    const { log } = createLog();
    const item: Item = { ...toAuditItem(newEntry(at(3.5))), code: 'other' };
    log.items.push(item);

    expect(await find(log)).toEqual({ kind: 'entry_changed', location: item.sk });
  });

  test('names a genuine entry that was stored again in another place', async () => {
    const { log, entries } = createLog();
    const [one, other] = [entries[2], entries[9]].map((entry) => toAuditItem(entry ?? newEntry(0)));
    const places = ['!', '', 'zzz', '中', newEntry(at(0.5)).id];

    for (const sk of places) {
      log.items.push({ ...one, sk });
      const { kind, location } = (await find(log)) ?? {};
      log.items.pop();
      expect({ kind, location }).toEqual({
        kind: sk < 'A' && sk < firstIn(at(3)) ? 'entry_inserted' : 'entry_changed',
        location: sk,
      });
    }
    expect(other).toBeDefined();
  });

  test('gives notice of a genuine entry that no digest lists', async () => {
    const { log } = createLog();
    const lost = log.add(newEntry(at(1.5)));

    expect(await verifyMonth(month, log, at(4))).toMatchObject({
      ...{ finding: undefined, notices: [{ kind: 'entry_unlisted', location: lost.id, byMs: hour / 2 }] },
    });
  });

  test('gives notice of an entry whose clock was behind, and names it if it is removed', async () => {
    const { log, entries } = createLog();
    const behind = log.add(newEntry(at(1)));
    log.close(at(3), at(4), [behind, ...entries.slice(closed)]);

    expect(await verifyMonth(month, log, at(4))).toMatchObject({
      ...{ finding: undefined, notices: [{ kind: 'entry_misdated', location: behind.id, byMs: 2 * hour }] },
    });

    log.items = log.items.filter(({ sk }) => sk !== behind.id);
    expect(await find(log)).toEqual({ kind: 'entry_removed', location: behind.id });
  });

  test('gives notice of a digest that was dated ahead', async () => {
    const log = new MemoryLog();
    log.begin(at(0));
    const [first, second] = [log.add(newEntry(at(0))), log.add(newEntry(at(1.5)))];
    log.close(at(0), at(3), [first]);
    log.close(at(3), at(3) + 1, [second], at(2));

    expect(await verifyMonth(month, log, at(2))).toMatchObject({
      ...{ finding: undefined, notices: [{ kind: 'digest_ahead', location: iso(at(3)), byMs: hour }] },
    });

    log.items = log.items.filter(({ sk }) => sk !== second.id);
    expect(await find(log)).toEqual({ kind: 'entry_removed', location: second.id });
  });

  test('says that a key is unknown instead of that something was changed', async () => {
    const { log } = createLog();
    const open = new MemoryLog();
    const entry = open.add(newEntry(at(0)));

    const replaced = jest.replaceProperty(environment(), 'appKeys', ['0'.repeat(64)]);
    const [ofDigest, ofEntry] = [await find(log), await find(open)];
    replaced.restore();

    const key = expect.stringMatching(/^[\w-]{8}$/);
    expect(ofDigest).toEqual({ kind: 'digest_key_unknown', location: iso(at(1)), key });
    expect(ofEntry).toEqual({ kind: 'entry_key_unknown', location: entry.id, key: entry.mac.slice(0, 8) });
    expect(await find(log)).toBeUndefined();
  });

  test('lets a genuine entry pass that was stored up to a minute late, until the next digest lists it', async () => {
    const log = new MemoryLog();
    const early = log.add(newEntry(at(0)));
    log.close(at(0), at(1), [early]);
    const late = log.add(newEntry(at(1) - 60_000));

    expect(await find(log, at(2))).toBeUndefined();

    log.close(at(1), at(2), [late]);
    expect(await find(log, at(2))).toBeUndefined();

    log.items = log.items.filter(({ sk }) => sk !== late.id);
    expect(await find(log, at(2))).toEqual({ kind: 'entry_removed', location: late.id });

    const tooLate = log.add(newEntry(at(1) - 60_001));
    log.items.push(toAuditItem(late));
    expect(await verifyMonth(month, log, at(2))).toMatchObject({
      ...{ finding: undefined, notices: [{ kind: 'entry_unlisted', location: tooLate.id, byMs: 60_001 }] },
    });
  });

  test('names a removed digest by the end of its time', async () => {
    for (const [index, finding] of [
      { kind: 'digest_removed', location: iso(at(1)) },
      { kind: 'digest_removed', location: iso(at(2)) },
      // The last one is missing once it is due.
      { kind: 'digest_missing', location: iso(at(2)) },
    ].entries()) {
      const { log } = createLog();
      const removed = log.items.filter(isDigest)[index];
      log.items = log.items.filter((item) => item !== removed);

      expect(await find(log, at(5))).toEqual(finding);
    }
  });

  test('names the first part of a digest that was removed or copied', async () => {
    const { log } = createLog();
    const chunks = log.items.filter(isChunk);
    const [one] = chunks;
    log.items = log.items.filter((item) => item !== one);
    expect(await find(log)).toEqual({ kind: 'digest_changed', location: iso(at(1)) });

    log.items.push({ ...one }, { ...one, sk: '000001' });
    expect(await find(log)).toEqual({ kind: 'digest_changed', location: iso(at(1)) });
  });

  test('names a digest or entry that got another attribute', async () => {
    for (const [isOf, kind] of [
      [isDigest, 'digest_changed'],
      [isChunk, 'digest_changed'],
      [isEntry, 'entry_changed'],
    ] as const) {
      const { log } = createLog();
      log.items = log.items.map((item) => (isOf(item) ? { ...item, more: 1 } : item));

      expect((await find(log))?.kind).toBe(kind);
    }
  });

  test('names a removed digest as long as the one after it lives', async () => {
    const log = new MemoryLog();
    const long = log.add(newEntry(at(0), {}, 400));
    log.close(at(0), at(1), [long]);
    log.close(at(1), at(2), [log.add(newEntry(at(1), {}, 30))]);
    const [first, second] = log.items.filter(isDigest);
    expect(Number(second?.ttl)).toBeGreaterThanOrEqual(Number(first?.ttl));
    log.items = log.items.filter((item) => item !== first);

    const now = at(24 * 399);
    expect(await find(log, now)).toEqual({ kind: 'digest_removed', location: iso(at(1)) });
  });

  test('names a digest that is due: from two hours after the end of the last one', async () => {
    const { log } = createLog();

    expect(await find(log, at(5))).toBeUndefined();
    expect(await find(log, at(5) + 1)).toEqual({ kind: 'digest_missing', location: iso(at(3)) });
  });

  test('names the missing digests of a log that has none', async () => {
    const log = new MemoryLog();
    log.add(newEntry(at(0)));

    expect(await find(log, at(2))).toBeUndefined();
    expect(await find(log, at(3))).toEqual({ kind: 'digest_missing', location: iso(at(0)) });
  });

  test('names a chain that begins again', async () => {
    const { log } = createLog();
    const other = new MemoryLog();
    other.close(at(3), at(4), []);
    log.items.push(...other.items);

    expect(await find(log)).toEqual({ kind: 'digest_removed', location: iso(at(3)) });
  });

  test('lets expired entries and digests be deleted in any order', async () => {
    const { log, entries } = createLog(30);
    const expiry = Number(entries[closed - 1]?.ttl) * 1000;
    const afterDigests = expiry + 40 * day;
    const deletable = (now: number) => log.items.filter((item) => Number(item.ttl) * 1000 <= now);

    for (const now of [expiry, afterDigests]) {
      const gone = deletable(now);
      expect(gone.length).toBeGreaterThanOrEqual(closed);
      await fc.assert(
        fc.asyncProperty(fc.subarray(gone), async (deleted) => {
          const rest = new MemoryLog();
          rest.items = log.items.filter((item) => !deleted.includes(item));

          const finding = await find(rest, now);

          // The digest of the last hour was never written.
          expect(finding?.kind ?? 'digest_missing').toBe('digest_missing');
        }),
        { numRuns: 200 },
      );
    }
  });

  test('names an entry that was removed by an earlier expiry in the table', async () => {
    const { log, entries } = createLog();
    log.items = log.items.filter(({ sk }) => sk !== entries[4]?.id);
    const expiry = Number(entries[4]?.ttl) * 1000;

    expect(await find(log, expiry - 1000)).toEqual({ kind: 'entry_removed', location: entries[4]?.id });
    expect((await find(log, expiry))?.kind).toBe('digest_missing');
  });
});

describe('audit:verify of a month between others', () => {
  const [october, december] = [Date.UTC(2026, 9, 31, 23), Date.UTC(2026, 11, 1)];
  const november = Date.UTC(2026, 10, 1);

  /** Digests of the end of October, all of November and the beginning of December. */
  function createMonths() {
    const log = new MemoryLog();
    const entries = [october, november, december - 30_000, december].map((time) => log.add(newEntry(time)));
    const [a, b, late, c] = entries.map((entry) => [entry]);
    log.close(october, november, a ?? []);
    log.close(november, december, b ?? []);
    log.close(december, december + hour, [...(late ?? []), ...(c ?? [])]);
    return { log, entries };
  }
  const verify = async (log: MemoryLog, each = month) =>
    (await verifyMonth(each, log, december + 3 * hour)).finding;

  test('finds nothing', async () => {
    const { log } = createMonths();

    for (const each of ['2026-10', '2026-11', '2026-12']) {
      expect(await verify(log, each)).toBeUndefined();
    }
    expect(await verify(log, '2026-09')).toBeUndefined();
  });

  test('names digests that are missing before, in and after it', async () => {
    for (const [index, finding] of [
      { kind: 'digest_removed', location: iso(november) },
      { kind: 'digest_missing', location: iso(november) },
      undefined,
    ].entries()) {
      const { log } = createMonths();
      const removed = log.items.filter(isDigest)[index];
      log.items = log.items.filter((item) => item !== removed);

      expect(await verify(log)).toEqual(finding);
    }
  });

  test('names the month as missing from its beginning if all of it was removed, or all before too', async () => {
    const { log } = createMonths();
    const isNovember = ({ pk, sk }: Item) => pk === 'AUDIT#2026-11' || sk === iso(december);
    log.items = log.items.filter((item) => !isNovember(item));
    expect(await verify(log)).toEqual({ kind: 'digest_missing', location: iso(november) });

    log.items = log.items.filter((item) => item.sk !== iso(november));
    expect(await verify(log)).toEqual({ kind: 'digest_missing', location: iso(november) });
  });

  test('compares a late entry of the month before with the next digest', async () => {
    const { log, entries } = createMonths();
    const late = entries[2];
    const item = log.items.find(({ sk }) => sk === late?.id);
    Object.assign(Object(item), { code: 'other' });

    expect(await verify(log, '2026-12')).toEqual({ kind: 'entry_changed', location: late?.id });
    expect(await verify(log)).toEqual({ kind: 'entry_inserted', location: late?.id });
  });

  test('names a digest that was exchanged for another genuine one', async () => {
    const { log } = createMonths();
    const other = new MemoryLog();
    other.close(october, november, []);
    const [genuine] = other.items;
    log.items = log.items.map((item) => (item.sk === iso(november) ? Object(genuine) : item));

    expect(await verify(log)).toEqual({ kind: 'digest_changed', location: iso(november) });
  });
});

/** The first ID of a time. */
const firstIn = (time: number): string => newEntry(time).id.slice(0, 10);

interface Byte {
  item: Item;
  /** The object or list that holds the value. */
  holder: Record<string, unknown>;
  name: string;
  /** In a text. */
  index: number;
}

/** Every byte of an item, without those of its key. */
const listBytes = (item: Item): Byte[] =>
  listValues(item, item).filter(({ holder, name }) => holder !== item || !['pk', 'sk'].includes(name));
const listKeys = (item: Item): Byte[] =>
  listValues(item, item).filter(({ holder, name }) => holder === item && ['pk', 'sk'].includes(name));

function listValues(item: Item, holder: Record<string, unknown>): Byte[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return listValues(item, Object(value));
    const length = typeof value === 'string' ? value.length : 1;
    return Array.from({ length }, (_, index) => ({ item, holder, name, index }));
  });
}

/** Changes one byte. @returns undoes it */
function flipByte({ holder, name, index }: Byte, flip: number): () => void {
  const value = holder[name];
  holder[name] =
    typeof value === 'string'
      ? `${value.slice(0, index)}${String.fromCharCode(value.charCodeAt(index) ^ flip)}${value.slice(index + 1)}`
      : typeof value === 'number'
        ? value + flip
        : flip;
  return () => {
    holder[name] = value;
  };
}

/** How a finding names an item. */
function locationOf(log: MemoryLog, item: Item): string {
  if (!isChunk(item)) return String(item.sk);
  const digest = log.items.filter(isDigest).find((each) => chunkPartition(hashOf(each)) === item.pk);
  return String(digest?.sk);
}

const hashOf = (item: Item): string => hash('sha256', String(item.mac), 'hex');
