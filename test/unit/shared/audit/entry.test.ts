import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeTime, isValid } from 'ulid';
import type { AuditEvent, StoredEntry } from '#shared/audit/entry.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { auditEntries, verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { createRecordMac, isRecordMac } from '#shared/crypto/record-mac.ts';

const event: AuditEvent = {
  actor: { kind: 'token', id: '01J0000000000000000000000A', account: 'root', client: 'T1' },
  channel: 'mcp',
  action: 'tool/article.hide',
  target: 'article:01J0000000000000000000000B',
  outcome: 'ok',
  code: 'ok',
  fields: { title: '标题', huge: 1e300, tiny: 5e-324, none: null, list: [1, { deep: true }] },
  request_id: 'r1',
  address: '203.0.113.7',
};
const atMs = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
const entry = createEntry(event, 200, atMs);

const oneMonth = { pk: 'AUDIT#2026-11', sk: entry.id };

describe('an entry', () => {
  test('lies in the month of its time, and expires after the days of retention', () => {
    expect(toAuditItem(entry)).toMatchObject({
      ...oneMonth,
      ...{ gsi1pk: 'AUDIT_ACTOR#token:01J0000000000000000000000A', gsi1sk: entry.id },
      ...{ gsi2pk: 'AUDIT_TARGET#article:01J0000000000000000000000B', gsi2sk: entry.id },
      at: '2026-11-30T23:59:59.999Z',
      ttl: Math.floor(atMs / 1000) + 200 * 86_400,
    });
  });

  test('has an ID that is a ULID of its time, and never the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Date.UTC(2999, 0) }), (time) => {
        const ids = [createEntry(event, 200, time).id, createEntry(event, 200, time).id];
        for (const id of ids) expect([isValid(id), decodeTime(id)]).toEqual([true, time]);
        expect(ids[0]).not.toBe(ids[1]);
      }),
    );
    expect(() => auditEntries.key({ id: 'not a ULID' })).toThrow('ULID');
  });

  test('is found by its ID alone', () => {
    expect(auditEntries.key(entry)).toMatchObject(oneMonth);
  });

  test('of an unknown caller without a target lies in no index', () => {
    const item = toAuditItem(
      createEntry({ ...event, target: null, actor: { kind: 'admin', id: null, account: null } }, 200),
    );

    expect(Object.keys(item).filter((name) => name.startsWith('gsi'))).toEqual([]);
    expect(verifyAuditItem(item)).toBeDefined();
  });

  test('is genuine as it was written', () => {
    expect(verifyAuditItem(toAuditItem(entry))).toEqual(entry);
  });
});

describe('a changed item of the log', () => {
  const item = toAuditItem(entry);

  test.each(Object.keys(item))('is recognised by a change of %s', (name) => {
    expect(verifyAuditItem({ ...item, [name]: flip(item[name]) })).toBeUndefined();
  });

  test.each(Object.keys(item))('is recognised without %s', (name) => {
    expect(verifyAuditItem(Object.fromEntries(Object.entries(item).filter(([key]) => key !== name)))).toBe(
      undefined,
    );
  });

  test.each([
    ['an attribute more', { hidden: 1 }],
    ['a number of events', { count: 3 }],
    ['other fields', { fields: JSON.stringify({ ...entry.fields, title: 'x' }) }],
    ['fields with a space', { fields: `${String(item.fields)} ` }],
    ['fields that are no JSON', { fields: '{' }],
  ])('is recognised with %s', (_name, change) => {
    expect(verifyAuditItem({ ...item, ...change })).toBeUndefined();
  });

  test('is recognised if it is signed by a key of another purpose', () => {
    const { mac: _mac, ...content } = entry;
    const forged = { ...content, mac: createRecordMac('token', content) } as StoredEntry;

    expect(verifyAuditItem(toAuditItem(forged))).toBeUndefined();
  });
});

function flip(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}x`;
  return { ...Object(value), kind: 'admin' };
}

test('a MAC does not depend on the order of keys, and on everything else', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.jsonValue(),
      (record, name, value) => {
        const mac = createRecordMac('audit', record);
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        const other = { ...record, [name]: value };
        const isSame = JSON.stringify(sorted(other)) === JSON.stringify(sorted(record));

        expect(isRecordMac('audit', reversed, mac)).toBe(true);
        expect(isRecordMac('audit', other, mac)).toBe(isSame);
        expect(isRecordMac('audit', record, `${mac}A`)).toBe(false);
      },
    ),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
