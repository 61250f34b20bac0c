import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { chainEndKey, createBeginning } from '#modules/System/audit/chain-end.ts';
import { readChainEnd } from '#modules/System/audit/chain-state.ts';
import { closeLog } from '#modules/System/audit/close-log.ts';
import {
  createDigest,
  digestKey,
  hashDigest,
  listMonths,
  readDigest,
  readLines,
  toLine,
} from '#modules/System/audit/digest.ts';
import { getEntry, listEntries, listOwnLogins } from '#modules/System/audit/list-entries.ts';
import type { AuditQuery } from '#modules/System/audit/schema.ts';
import { readMonth, storedLog } from '#modules/System/audit/stored-log.ts';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import { verifyEnd } from '#modules/System/audit/verify/verify-end.ts';
import { type DigestOptions, writeDigests } from '#modules/System/audit/write-digests.ts';
import { openAnchor } from '#shared/audit/anchor.ts';
import { recordOrCount } from '#shared/audit/counts.ts';
import type { AuditEvent, StoredEntry } from '#shared/audit/entry.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { retention } from '#shared/audit/retention.ts';
import { auditEntries } from '#shared/audit/stored-entries.ts';
import { deleteItem, getItem, transact, updateItem } from '#shared/db/items.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';

const hour = 3_600_000;
const event: AuditEvent = {
  actor: { kind: 'admin', id: 'A', account: 'root' },
  ...{ channel: 'api', action: 'article/edit', target: null, outcome: 'ok', code: 'ok' },
  ...{ fields: { title: { length: 3 } }, request_id: 'r', address: null },
};

/** Stores an entry that lives for some years. */
async function add(atMs: number, more: Partial<AuditEvent> = {}): Promise<StoredEntry> {
  const entry = createEntry({ ...event, ...more }, 3000, atMs);
  await transact([putNew(toAuditItem(entry))]);
  return entry;
}

/** Replaces the end that is kept outside of the table. */
const keep = async (end: object) => (await openAnchor()).write(JSON.stringify(end));
const readKept = async () => JSON.parse((await (await openAnchor()).read()) ?? '{}');

/** The events of the error lines that work prints. */
async function linesOf(work: () => Promise<unknown>): Promise<string[]> {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  await work();
  const events = printed.mock.calls.map(([line]) => String(JSON.parse(String(line)).event));
  printed.mockRestore();
  return events;
}

/** The audit log. */
export function describeAuditLog(): void {
  describe('the audit log', () => {
    describe('digests', describeDigests);
    describe('lists', describeLists);
    describe('counted events', describeCounts);
    describe('digests', describeClocks);
  });
}

function describeDigests(): void {
  // The end of a month, long ago.
  const start = Date.UTC(2025, 0, 31, 20, 15);
  const february = Date.UTC(2025, 1, 1);
  const at = (hours: number) => start + hours * hour;
  const close = async (toMs: number, options: DigestOptions = {}) =>
    (await writeDigests({ toMs, ...options })).map(({ from, to, number }) => [
      ...[(Date.parse(from) - start) / hour, (Date.parse(to) - start) / hour, number],
    ]);
  const verify = (month: string, now: number) => verifyMonth(month, storedLog, now);

  test('begin with an entry as old as the longest retention', async () => {
    const oldest = Date.UTC(2005, 4, 10);
    const first = createEntry(event, 20_000, oldest);
    await transact([putNew(toAuditItem(first))]);
    let digests = 0;

    // Each month has a digest; the first one is enough here.
    const toMs = oldest + retention.max * 24 * hour;
    const written = await writeDigests({ toMs, isOver: () => ++digests > 1 });

    expect(written).toMatchObject([{ from: new Date(oldest).toISOString(), number: 1 }]);
    await deleteItem(auditEntries.key(first));
    await deleteItem(chainEndKey);
    await keep(createBeginning(oldest));
  });

  test('begin with the first entry; an empty log has none', async () => {
    expect(await close(at(0))).toEqual([]);

    for (const each of [0, 0.5, 1]) await add(at(each));

    expect(await close(at(1))).toEqual([[0, 1, 2]]);
    expect(await close(at(1))).toEqual([]);
  });

  test('follow each other without a gap, and end with the month', async () => {
    await add(february + 1);

    expect((await close(at(4))).flat()).toEqual([1, 3.75, 1, 3.75, 4, 1]);
    const january = await verify('2025-01', at(4));
    expect(january).toMatchObject({ finding: undefined, entries: 3, digests: 2 });
    expect(await verify('2025-02', at(4))).toMatchObject({ finding: undefined, entries: 1, digests: 1 });
  });

  test('list an entry that was stored late in the next digest', async () => {
    const late = await add(at(4) - 59_000);
    expect((await verify('2025-02', at(4))).finding).toBeUndefined();

    expect(await close(at(5))).toEqual([[4, 5, 1]]);
    await deleteItem(auditEntries.key(late));

    expect((await verify('2025-02', at(5))).finding).toEqual({ kind: 'entry_removed', location: late.id });
    await transact([putNew(toAuditItem(late))]);
  });

  test('are written by one of two runs at once, or one after the other', async () => {
    for (let index = 0; index < 5; index += 1) await add(at(5.1) + index);

    const runs = await Promise.all([close(at(6)), close(at(6)), close(at(6) - 1)]);

    const covered = runs.flat().sort((a, b) => Number(a[0]) - Number(b[0]));
    expect(covered[0]?.[0]).toBe(5);
    expect(covered.reduce((sum, [, , number]) => sum + Number(number), 0)).toBe(5);
    expect((await verify('2025-02', at(6))).finding).toBeUndefined();
    await close(at(6));
  });

  test('are not disturbed by what an interrupted run has left', async () => {
    const end = await readChainEnd();
    const range = { from: String(end?.to), to: new Date(at(6.5)).toISOString() };
    const { chunks } = createDigest(end, range, [toLine(await add(at(6.25)))]);
    await transact(chunks.map((chunk) => putNew(chunk)));
    await add(at(6.25) + 1);

    expect(await close(at(6.5))).toEqual([[6, 6.5, 2]]);
    expect((await verify('2025-02', at(6.5))).finding).toBeUndefined();
  });

  test('hold a limited number of entries each', async () => {
    const times = [0, 1, 1, 1, 2, 3, 4];
    for (const each of times) await add(at(6.6) + each);

    const digests = await close(at(7), { maxEntries: 2 });

    expect(digests.map(([, , number]) => number).reduce((a, b) => Number(a) + Number(b))).toBe(times.length);
    expect(digests.length).toBeGreaterThan(2);
    expect(digests.at(-1)?.[1]).toBe(7);
    expect((await verify('2025-02', at(7))).finding).toBeUndefined();
  });

  test('list more entries than one part holds', async () => {
    const entries = Array.from({ length: 450 }, (_, index) => createEntry(event, 3000, at(7) + index));
    for (let from = 0; from < entries.length; from += 90) {
      await transact(entries.slice(from, from + 90).map((entry) => putNew(toAuditItem(entry))));
    }

    expect(await close(at(8))).toEqual([[7, 8, 450]]);

    expect((await verify('2025-02', at(8))).finding).toBeUndefined();
  });

  test('end before one is begun if the time is over', async () => {
    expect(await close(at(9), { isOver: () => true })).toEqual([]);
    expect(await close(at(9))).toEqual([[8, 9, 0]]);
  });

  test('do not list an entry that was changed before, and report it', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const changed = await add(at(9.5));
    const key = auditEntries.key(changed);
    await updateItem(changeItem(key, { set: { outcome: 'refused' } }).Update);

    expect(await close(at(10))).toEqual([[9, 10, 0]]);

    expect(printed.mock.calls.flat().join()).toMatch(`"audit.entry_invalid"`);
    expect(printed.mock.calls.flat().join()).toMatch(changed.id);
    const { finding } = await verify('2025-02', at(10));
    expect(finding).toEqual({ kind: 'entry_inserted', location: changed.id });
    await deleteItem(key);
    printed.mockRestore();
  });

  test('follow the last digest as it was written, also if the end of the chain was changed', async () => {
    const end = await readChainEnd();
    const head = await getItem(digestKey(String(end?.to)));
    await updateItem(changeItem(chainEndKey, { set: { expires: 1, from: end?.to } }).Update);

    let found: unknown;
    const lines = await linesOf(async () => {
      found = await readChainEnd();
    });
    expect([found, lines]).toEqual([end, ['audit.end_changed', 'audit.number_fell']]);

    await deleteItem(digestKey(String(end?.to)));
    await linesOf(() => close(at(10.9)));

    const { finding } = await verify('2025-02', at(10.9));
    expect(finding).toEqual({ kind: 'digest_removed', location: end?.to });
    await transact([putNew({ ...head })]);
  });

  test('are compared by their hash', async () => {
    const [digest] = await writeDigests({ toMs: at(11) });

    const { last } = await verify('2025-02', at(11));

    expect(last).toEqual({ to: digest?.to, hash: digest && hashDigest(digest) });
    const key = keys.auditDigest('2025-02', String(digest?.to));
    const head = await getItem(key);
    await deleteItem(key);
    const missing = { kind: 'digest_missing', location: new Date(at(10.9)).toISOString() };
    expect((await verify('2025-02', at(12.9) + 1)).finding).toEqual(missing);
    expect((await verify('2025-02', at(12.9))).finding).toBeUndefined();
    await transact([putItem({ ...head })]);
  });

  test('go on from the end outside of the table if the one in it was set back, or removed', async () => {
    const older = await getItem(chainEndKey);
    const [digest] = await writeDigests({ toMs: at(11.1) });
    await transact([putItem({ ...older })]);

    expect(await verifyEnd(storedLog, at(11.1))).toEqual({ kind: 'end_reset', location: digest?.to });
    expect(await linesOf(() => close(at(11.2)))).toEqual(['audit.number_fell']);
    expect(await verifyEnd(storedLog, at(11.2))).toBeUndefined();

    await deleteItem(chainEndKey);
    expect((await verifyEnd(storedLog, at(11.2)))?.kind).toBe('end_removed');
    expect(await linesOf(() => close(at(11.3)))).toEqual(['audit.number_fell']);
    expect((await readChainEnd())?.sequence).toBe(Number(digest?.sequence) + 2);
    expect(await verifyEnd(storedLog, at(11.3))).toBeUndefined();
    expect((await verify('2025-02', at(11.3))).finding).toBeUndefined();
  });

  test('are missed after the newest entries and digests were removed together', async () => {
    const before = await getItem(chainEndKey);
    const last = await add(at(11.35));
    const [digest] = await writeDigests({ toMs: at(11.4) });
    const head = await getItem(digestKey(String(digest?.to)));
    await deleteItem(auditEntries.key(last));
    await deleteItem(digestKey(String(digest?.to)));
    await transact([putItem({ ...before })]);

    expect((await verify('2025-02', at(11.4))).finding).toBeUndefined();
    expect(await verifyEnd(storedLog, at(11.4))).toEqual({ kind: 'end_reset', location: digest?.to });
    expect(await linesOf(() => close(at(11.5)))).toEqual(['audit.number_fell', 'audit.digest_invalid']);
    const removed = { kind: 'digest_removed', location: digest?.to };
    expect((await verify('2025-02', at(11.5))).finding).toEqual(removed);

    await transact([putItem({ ...head }), putItem(toAuditItem(last))]);
    expect((await verify('2025-02', at(11.5))).finding).toBeUndefined();
  });

  test('are numbered, and the number outside of the table follows also after an interrupted run', async () => {
    const kept = await readKept();
    const [next] = await writeDigests({ toMs: at(11.6) });
    expect(next?.sequence).toBe(kept.sequence + 1);
    await keep(kept);

    expect(await verifyEnd(storedLog, at(11.6))).toBeUndefined();
    expect(await linesOf(() => close(at(11.6)))).toEqual([]);
    expect(await readKept()).toEqual(expect.objectContaining({ sequence: next?.sequence }));
  });

  test('raise the alarm if nothing is kept outside of the table, or if it was changed', async () => {
    const kept = await readKept();
    await keep({ ...kept, sequence: kept.sequence + 1 });
    expect((await verifyEnd(storedLog, at(11.6)))?.kind).toBe('anchor_changed');
    expect(await linesOf(() => readChainEnd())).toEqual(['audit.end_changed']);

    rmSync(join(String(process.env.DATA_DIR), `audit-log-${process.env.TABLE_NAME}-end.json`));
    expect(await verifyEnd(storedLog, at(11.6))).toEqual({ kind: 'anchor_missing', location: kept.to });
    expect(await linesOf(() => close(at(11.7)))).toEqual(['audit.anchor_missing']);
    expect(await verifyEnd(storedLog, at(11.7))).toBeUndefined();
  });

  test('name the entry whose item was changed by hand', async () => {
    const ids: string[] = [];
    for await (const item of readMonth('2025-02')) ids.push(String(item.sk));
    const id = String(ids[300]);

    const key = { pk: 'AUDIT#2025-02', sk: id };
    await updateItem(changeItem(key, { set: { gsi1pk: 'AUDIT_ACTOR#x' } }).Update);

    expect((await verify('2025-02', at(11))).finding).toEqual({ kind: 'entry_changed', location: id });
  });
}

/** After the other tests: the chain goes on from theirs, for some years. */
function describeClocks(): void {
  test('list every entry and accuse none, however clocks step; a removal is still named', async () => {
    const steps = fc.array(
      fc.record({
        entries: fc.array(fc.integer({ min: -5 * hour, max: 5 * hour }), { maxLength: 3 }),
        clock: fc.integer({ min: -5 * hour, max: 5 * hour }),
      }),
      { minLength: 2, maxLength: 5 },
    );
    let nowMs = Date.UTC(2027, 2, 30);
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (days, chosen) => {
        const startMs = nowMs - 24 * hour;
        const added: StoredEntry[] = [];
        for (const { entries, clock } of days) {
          nowMs += hour;
          for (const offset of entries) added.push(await add(nowMs + offset));
          await writeDigests({ toMs: nowMs + clock });
        }
        nowMs += 12 * hour;
        await writeDigests({ toMs: nowMs });

        const findings = async () => {
          const found = [];
          for (const each of listMonths(startMs, nowMs))
            found.push((await verifyMonth(each, storedLog, nowMs)).finding ?? []);
          return found.flat();
        };
        expect(await findings()).toEqual([]);
        const listed = new Set<string>();
        for (const each of listMonths(startMs, nowMs)) {
          for (const head of await storedLog.digests(each)) {
            const digest = readDigest(head);
            const chunks = digest ? await storedLog.chunks(hashDigest(digest)) : [];
            for (const { id } of (digest && readLines(digest, chunks)?.entries) ?? []) listed.add(id);
          }
        }
        expect(added.filter(({ id }) => !listed.has(id))).toEqual([]);
        const removed = added[chosen % Math.max(1, added.length)];
        if (!removed) return;
        await deleteItem(auditEntries.key(removed));
        const places = await findings();
        await transact([putNew(toAuditItem(removed))]);
        expect(places).toEqual([{ kind: 'entry_removed', location: removed.id }]);
      }),
      // The log goes on from run to run, so a failure cannot be shrunk.
      { numRuns: 8, endOnFailure: true },
    );
  }, 120_000);
}

function describeCounts(): void {
  const hour = 3_600_000;
  /** After every digest of the tests above. */
  const start = Date.UTC(2025, 11, 31, 22);
  const subject = `login#${randomLetters()}`;
  const count = (atMs: number) => recordOrCount({ ...event, outcome: 'refused' }, subject, 3000, atMs);
  const readCounted = async () => {
    const entries: unknown[] = [];
    // Their entries are of the time at which the hour was closed.
    for await (const item of readMonth(new Date().toISOString().slice(0, 7))) {
      if (item.count !== undefined) entries.push([item.count, item.last_at]);
    }
    return entries;
  };

  test('become one entry once their hour is over, in any number of runs', async () => {
    await closeLog({ toMs: start });
    for (const offset of [0, 1, 2, 3]) await count(start + offset);

    await closeLog({ toMs: start + hour - 1 });
    expect(await readCounted()).toEqual([]);

    const runs = await Promise.all([1, 2, 3].map(() => closeLog({ toMs: start + hour })));

    expect(runs.reduce((sum, { counted }) => sum + counted, 0)).toBe(1);
    expect(await readCounted()).toEqual([[3, new Date(start + 3).toISOString()]]);
    expect((await closeLog({ toMs: start + hour + 1 })).counted).toBe(0);
  });

  test('become another entry if they were counted after the hour was closed', async () => {
    for (const offset of [5, 6]) await count(start + offset);

    expect((await closeLog({ toMs: start + 2 * hour })).counted).toBe(1);
    expect(await readCounted()).toContainEqual([2, new Date(start + 6).toISOString()]);
  });

  test('are not lost if a run has to end before it comes to them', async () => {
    await count(start + 2 * hour);
    await count(start + 2 * hour + 1);
    const stopped = await closeLog({ toMs: start + 4 * hour, isOver: () => true });

    expect(stopped).toEqual({ counted: 0, digests: [] });
    expect((await closeLog({ toMs: start + 9 * hour })).counted).toBe(1);
  });
}

function describeLists(): void {
  const [first, ...others] = [0, 1, 2, 3].map((index) => Date.UTC(2025, 3 + index, 28));
  const actor = `${randomLetters()}`;
  const target = `note:${randomLetters()}`;
  const entries: StoredEntry[] = [];
  const iso = (time: number) => new Date(time).toISOString();
  const span = { from: iso(Number(first)), to: iso(Number(others.at(-1))) };

  beforeAll(async () => {
    // Over four months, of which one is empty.
    const times = Array.from({ length: 60 }, (_, index) => Number(first) + index * 30 * hour);
    for (const [index, time] of times.entries()) {
      if (new Date(time).getUTCMonth() === 5) continue;
      const outcome: AuditEvent['outcome'] = index % 3 === 0 ? 'refused' : 'ok';
      const action = index % 5 === 0 ? 'system/login/account' : `note/${index % 2 ? 'add' : 'edit'}`;
      const more = index % 4 === 0 ? { actor: { kind: 'admin' as const, id: actor, account: 'a' } } : {};
      entries.push(await add(time, { outcome, action, ...more, target: index % 2 ? target : null }));
    }
  });

  /** The IDs of all pages. */
  async function walk(query: Omit<AuditQuery, 'cursor'>): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEntries({ ...query, cursor });
      expect(page.list.length).toBeLessThanOrEqual(query.limit);
      ids.push(...page.list.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return ids;
  }

  const select = (query: Omit<AuditQuery, 'limit' | 'cursor'>): string[] =>
    entries
      .filter(
        (entry) =>
          (!query.actor || query.actor === `${entry.actor.kind}:${entry.actor.id}`) &&
          (!query.target || query.target === entry.target) &&
          (!query.action || entry.action.startsWith(query.action)) &&
          (!query.outcome || query.outcome === entry.outcome) &&
          (!query.from || entry.at >= query.from) &&
          (!query.to || entry.at < query.to),
      )
      .map(({ id }) => id)
      .sort()
      .reverse();

  test('hold the entries of every filter, newest first, over months and pages', async () => {
    const time = fc.integer({ min: Number(first) - hour, max: Number(others.at(-1)) }).map(iso);
    const filters = fc.record(
      {
        actor: fc.constantFrom(`admin:${actor}`, 'admin:A', 'cli:x'),
        target: fc.constantFrom(target, 'note:none'),
        action: fc.constantFrom('note', 'note/a', 'add', 'system/login/account'),
        outcome: fc.constantFrom('ok' as const, 'refused' as const, 'failed' as const),
        from: fc.oneof(time, fc.constantFrom(...entries.slice(0, 3).map(({ at }) => at), span.from)),
        to: time,
      },
      { requiredKeys: ['from', 'to'] },
    );

    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 9 }), async (query, limit) => {
        expect(await walk({ ...query, limit })).toEqual(select(query));
      }),
      { numRuns: 60 },
    );
    expect(await walk({ ...span, limit: 100 })).toEqual(select(span));
  });

  test('answer genuine entries as they were written, without their expiry', async () => {
    const [entry] = entries;
    const { ttl, ...answered } = entry ?? createEntry(event, 1);
    const query = { from: answered.at, to: iso(Date.parse(answered.at) + 1), limit: 1 };

    expect((await listEntries(query)).list).toEqual([{ ...answered, genuine: true }]);
    expect(await getEntry(answered.id)).toEqual({ ...answered, genuine: true });
  });

  test('mark an entry that was changed in the table', async () => {
    const changed = await add(Date.UTC(2025, 8, 1));
    await updateItem(changeItem(auditEntries.key(changed), { set: { action: 'x/y' } }).Update);

    expect(await getEntry(changed.id)).toMatchObject({ action: 'x/y', genuine: false });
    const { list } = await listEntries({ limit: 1, from: changed.at, to: iso(Date.UTC(2025, 8, 2)) });
    expect(list).toMatchObject([{ id: changed.id, genuine: false }]);
  });

  test('leave out what is no entry', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const time = Date.UTC(2025, 8, 3);
    const { id, at } = createEntry(event, 1, time);
    await transact([putNew({ ...auditEntries.key({ id }), id })]);

    const page = await listEntries({ limit: 1, from: at, to: iso(time + 1) });
    expect(page).toEqual({ list: [], next_cursor: null });
    await expect(getEntry(id)).rejects.toMatchObject({ code: 'audit.not_found' });
    expect(printed.mock.calls.flat().join()).toMatch(id);
    printed.mockRestore();
  });

  test('hold the own logins of an administrator only', async () => {
    const own = select({ actor: `admin:${actor}`, action: 'system/login/account', ...span });
    // Without a time, lists go back for a year.
    const action = 'system/login/account';
    const login = await add(Date.now(), { actor: { kind: 'admin', id: actor, account: 'a' }, action });

    const { list } = await listOwnLogins(actor, { limit: 100 });

    expect(own.length).toBeGreaterThan(1);
    expect(list[0]?.id).toBe(login.id);
    expect(list.filter((entry) => entry.actor.id !== actor || entry.action !== action)).toEqual([]);
    expect((await listOwnLogins(randomLetters(), { limit: 100 })).list).toEqual([]);
  });

  test('refuse a cursor of another filter', async () => {
    const { next_cursor } = await listEntries({ ...span, limit: 1 });
    const cursor = next_cursor ?? undefined;

    const outcomes = await outcomesOf([
      listEntries({ ...span, limit: 1, cursor, outcome: 'ok' }),
      listEntries({ ...span, limit: 2, cursor }),
    ]);

    expect(outcomes).toEqual(['request.invalid', 'done']);
  });

  test('have no entry of an unknown ID', async () => {
    await expect(getEntry(createEntry(event, 1).id)).rejects.toMatchObject({ code: 'audit.not_found' });
  });
}
