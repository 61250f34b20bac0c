import '../support/environment.ts';
import './virtual-log.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { listEntries } from '#modules/System/audit/list-entries.ts';
import type { AuditQuery } from '#modules/System/audit/schema.ts';
import { virtualLog } from './virtual-log.ts';

beforeEach(() => {
  virtualLog.evaluated = 0;
});

/** Items that each of the first pages reads, of a log with so many entries. */
async function countReads(entries: number, query: Partial<AuditQuery>): Promise<number[]> {
  virtualLog.size = entries;
  const reads: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const before = virtualLog.evaluated;
    const { list, next_cursor } = await listEntries({ limit: 20, ...query, cursor });
    expect(list.length).toBeLessThanOrEqual(query.limit ?? 20);
    reads.push(virtualLog.evaluated - before);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return reads;
}

const sizes = [100, 100_000];
const iso = (daysAgo: number) => new Date(virtualLog.now - daysAgo * 86_400_000).toISOString();

test.each<[string, Partial<AuditQuery>]>([
  ['of a target', { target: 'article:1' }],
  ['of an actor', { actor: 'admin:A' }],
])('a page %s reads as many items at 100 and at 100,000 entries', async (_name, query) => {
  const [few, many] = [await countReads(100, query), await countReads(100_000, query)];

  expect(few).toEqual([20, 20, 20]);
  expect(many).toEqual(few);
});

test('a page of all entries reads no more at 100,000 entries than at 100', async () => {
  const [few = [], many = []] = [await countReads(100, {}), await countReads(100_000, {})];

  // A month of the small log holds less than a page, so that the older months are read too.
  expect(Math.max(...many)).toBeLessThanOrEqual(Math.max(...few));
  expect(many).toEqual([20, 20, 20]);
});

test.each<[string, Partial<AuditQuery>]>([
  ['an action in vain', { action: 'none' }],
  ['an outcome in vain', { outcome: 'failed' }],
  ['an outcome of an actor in vain', { outcome: 'failed', actor: 'admin:A' }],
  ['an outcome in a time in vain', { outcome: 'failed', from: iso(300), to: iso(10) }],
  ['a page of 100', { limit: 100 }],
  ['a page of 100 long ago', { limit: 100, from: iso(359), to: iso(200) }],
  ['old entries of ten years', { action: 'none', from: iso(3650), to: iso(350) }],
])('%s reads at most 1,000 items a page', async (_name, query) => {
  for (const entries of sizes) {
    const reads = await countReads(entries, query);

    expect(Math.max(...reads)).toBeLessThanOrEqual(1000);
  }
});

test('pages without a hit still lead to the end', async () => {
  virtualLog.size = 5_000;
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listEntries({ limit: 20, action: 'none', cursor });
    pages.push(page.list.length);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);

  expect(virtualLog.evaluated).toBeGreaterThanOrEqual(virtualLog.size);
  expect(pages.length).toBeLessThanOrEqual(virtualLog.months + virtualLog.size / filteredReads);
  expect(pages.every((length) => length === 0)).toBe(true);
});

/** Fewest items that a page reads in a month that holds more. */
const filteredReads = 80;
