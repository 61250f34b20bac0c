import '../../../../support/environment.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import { verifyEnd } from '#modules/System/audit/verify/verify-end.ts';
import type { Item } from '#shared/db/items.ts';
import { isDigest, isEnd, MemoryLog, newEntry } from './memory-log.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 3, 10);
const at = (hours: number) => start + hours * hour;
const iso = (hours: number) => new Date(at(hours)).toISOString();
const now = at(4);

let log: MemoryLog;
let older: Item | undefined;

beforeEach(() => {
  log = new MemoryLog();
  log.begin(start);
  for (const each of [0, 1, 2]) {
    log.close(at(each), at(each + 1), [log.add(newEntry(at(each)))]);
    if (each === 1) older = log.items.find(isEnd);
  }
});

const without = (isGone: (item: Item) => boolean) => log.items.filter((item) => !isGone(item));
const isLast = (item: Item) => isDigest(item) && item.sk === iso(3);

describe('the end of the log', () => {
  test('is as it was written', async () => {
    expect(await verifyEnd(log, now)).toBeUndefined();
  });

  test('is named if the table says less than what is kept outside of it', async () => {
    log.items = [...without(isEnd), ...(older ? [older] : [])];
    expect(await verifyEnd(log, now)).toEqual({ kind: 'end_reset', location: iso(3) });

    log.items = without(isEnd);
    expect(await verifyEnd(log, now)).toEqual({ kind: 'end_removed', location: iso(3) });

    log.items = [];
    expect(await verifyEnd(log, now)).toEqual({ kind: 'end_removed', location: iso(3) });
  });

  test('is named if its digest was removed or exchanged', async () => {
    const all = log.items;
    log.items = without(isLast);
    expect(await verifyEnd(log, now)).toEqual({ kind: 'digest_removed', location: iso(3) });

    log.items = all.map((item) => (isLast(item) ? { ...item, number: 0 } : item));
    expect(await verifyEnd(log, now)).toEqual({ kind: 'digest_changed', location: iso(3) });

    const other = new MemoryLog();
    other.close(at(2), at(3), []);
    log.items = [...all.filter((item) => !isLast(item)), ...other.items.filter(isDigest)];
    expect(await verifyEnd(log, now)).toEqual({ kind: 'digest_changed', location: iso(3) });
  });

  test.each<[string, (item: Item) => Item]>([
    ['another number', (item) => ({ ...item, sequence: 9 })],
    ['an expiry in the past', (item) => ({ ...item, ttl: 1 })],
    ['no MAC', ({ mac: _mac, ...item }) => item],
    ['no MAC and no number', ({ mac: _mac, sequence: _sequence, ...item }) => item],
  ])('is named if it got %s', async (_name, change) => {
    log.items = log.items.map((item) => (isEnd(item) ? change(item) : item));

    expect(await verifyEnd(log, now)).toEqual({ kind: 'end_changed', location: iso(3) });
  });

  test('may be ahead of what is kept, if a run was interrupted', async () => {
    const kept = log.kept;
    log.close(at(3), at(4), []);
    log.kept = kept;
    expect(await verifyEnd(log, now)).toBeUndefined();

    log.items = without((item) => isDigest(item) && item.sk === iso(4));
    expect(await verifyEnd(log, now)).toEqual({ kind: 'digest_removed', location: iso(4) });
  });

  test('needs what is kept outside of the table', async () => {
    const kept = JSON.parse(log.kept ?? '');
    log.kept = undefined;
    expect(await verifyEnd(log, now)).toEqual({ kind: 'anchor_missing', location: iso(3) });

    for (const text of ['', '{}', JSON.stringify({ ...kept, sequence: 1 })]) {
      log.kept = text;
      expect(await verifyEnd(log, now)).toEqual({ kind: 'anchor_changed', location: '' });
    }

    log.kept = JSON.stringify({ ...kept, mac: `AAAAAAAA.${kept.mac.slice(9)}` });
    expect(await verifyEnd(log, now)).toEqual({
      ...{ kind: 'anchor_key_unknown', location: iso(3), key: 'AAAAAAAA' },
    });
  });

  test('is open in a log that was just installed, and in one that was never', async () => {
    const empty = new MemoryLog();
    expect(await verifyEnd(empty, now)).toBeUndefined();
    empty.begin(start);
    expect(await verifyEnd(empty, now)).toBeUndefined();
  });
});

describe('a first digest', () => {
  const verifyFirst = async (isInstalled: boolean, hours: number) => {
    const late = new MemoryLog();
    if (isInstalled) late.begin(start);
    late.close(at(0), at(hours), [late.add(newEntry(at(0)))]);
    return (await verifyMonth('2026-11', late, at(hours))).finding;
  };

  test('is named if it lists older entries than it should', async () => {
    expect(await verifyFirst(false, 3)).toEqual({ kind: 'begins_late', location: iso(0) });
    expect(await verifyFirst(false, 2)).toBeUndefined();
  });

  test('may list older entries if the installation has begun the log', async () => {
    expect(await verifyFirst(true, 72)).toBeUndefined();
  });
});
