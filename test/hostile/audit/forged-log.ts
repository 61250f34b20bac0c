import { closeLog } from '#modules/System/audit/close-log.ts';
import { hashDigest, listMonths, readDigest } from '#modules/System/audit/digest.ts';
import { readMonth, storedLog } from '#modules/System/audit/stored-log.ts';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import { verifyEnd } from '#modules/System/audit/verify/verify-end.ts';
import { type CountedEvent, recordOrCount } from '#shared/audit/counts.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { type Item, transact } from '#shared/db/items.ts';
import { putNew } from '#shared/db/writes.ts';
import { MemoryLog } from '../../unit/modules/system/audit/memory-log.ts';

const hour = 3_600_000;
/** Half an hour before the end of a month. */
const start = Date.UTC(2031, 3, 30, 21, 30);
const now = start + 5 * hour;
const months = [...listMonths(start, now)];

const event: CountedEvent = {
  actor: { kind: 'admin', id: '01JA4Q2M7Z3V8XK5T9R6W1C0BD', account: 'root' },
  ...{ channel: 'api', action: 'article/edit', target: 'article:1', outcome: 'refused', code: 'x' },
  ...{ fields: {}, request_id: 'r', address: '192.0.2.1' },
};

/** A version of every item under `AUDIT` that the log has had, and the log itself. */
export interface RealLog {
  log: MemoryLog;
  /** Items as they were before, with other content than now. */
  earlier: Item[];
}

/** Writes a log by the operations of the service, and reads it after each of them. */
export async function createRealLog(): Promise<RealLog> {
  const versions = new Map<string, Item>();
  const remember = async () => {
    for (const item of await readLog()) versions.set(JSON.stringify(item), item);
  };
  for (let step = 0; step < 4; step += 1) {
    const atMs = start + step * hour;
    for (const each of [0, 1]) {
      const entry = createEntry({ ...event, outcome: 'ok', code: 'ok' }, 300, atMs + each * 1000);
      await transact([putNew(toAuditItem(entry))]);
    }
    for (let each = 0; each < 3; each += 1) {
      await recordOrCount(event, `refused#${step % 2}#article/edit`, 300, atMs + each);
      await remember();
    }
    await closeLog({ toMs: atMs + hour / 2 + 1, nowMs: atMs + hour / 2 });
    await remember();
  }
  await closeLog({ toMs: now, nowMs: now - 1 });
  const items = await readLog();
  const current = new Set(items.map((item) => JSON.stringify(item)));
  const log = new MemoryLog();
  log.items = items;
  log.kept = await storedLog.anchor();
  const earlier = [...versions].flatMap(([text, item]) => (current.has(text) ? [] : [item]));
  return { log, earlier };
}

async function readLog(): Promise<Item[]> {
  const items: Item[] = [];
  for (const month of months) {
    for await (const item of readMonth(month)) items.push(item);
    const digests = await storedLog.digests(month);
    items.push(...digests);
    for (const head of digests) {
      const digest = readDigest(head);
      if (digest) items.push(...(await storedLog.chunks(hashDigest(digest))));
    }
  }
  for (const day of [start, now]) {
    for await (const item of storedLog.counts(new Date(day).toISOString().slice(0, 10))) items.push(item);
  }
  const end = await storedLog.end();
  if (end) items.push(end);
  // The order of attributes says nothing.
  return items.map((item): Item => JSON.parse(JSON.stringify(item, sortNames)));
}

/** What `audit:verify` says about each month, and about the end. */
export async function findAll(log: MemoryLog) {
  const found = [];
  for (const month of months) found.push((await verifyMonth(month, log, now)).finding);
  return [...found, await verifyEnd(log, now)].filter((finding) => finding !== undefined);
}

const sortNames = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort())
    : value;
