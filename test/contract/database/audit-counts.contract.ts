import { describe, expect, test } from '@jest/globals';
import { closeHour } from '#modules/System/audit/counts.ts';
import { type CountedEvent, listCountPartitions, recordOrCount } from '#shared/audit/counts.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { queryPartition } from '#shared/db/items.ts';
import { randomLetters } from '../../support/database.ts';

const createEvent = (): CountedEvent => ({
  actor: { kind: 'admin', id: null, account: null },
  ...{ channel: 'api', action: 'system/login/account', target: null, outcome: 'refused' },
  ...{ code: 'auth.credentials_invalid', fields: {}, request_id: randomLetters(), address: '203.0.113.7' },
});

/** Entries of a request, verified, the oldest first. */
async function readEntries(requestId: string): Promise<StoredEntry[]> {
  const items = await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)));
  return items
    .flatMap((item) => verifyAuditItem(item) ?? [])
    .filter(({ request_id }) => request_id === requestId);
}

/** An hour of its own, long ago. */
const takeHour = () => Date.UTC(2001, 0, 1) + Math.floor(Math.random() * 1_000_000) * 3_600_000;
const readCounts = async (atMs: number) => {
  const day = new Date(atMs).toISOString().slice(0, 10);
  return (await Promise.all(listCountPartitions(day).map((pk) => queryPartition(pk)))).flat();
};
const nameHour = (atMs: number) => new Date(atMs).toISOString().slice(0, 13);

/** Events that may come as often as a client likes. */
export function describeAuditCounts(): void {
  describe('an event that is repeated', () => {
    test('is an entry once an hour and subject, and else a count', async () => {
      const [event, subject, atMs] = [createEvent(), randomLetters(), takeHour()];
      const record = (offsetMs: number, by = subject) => recordOrCount(event, by, 200, atMs + offsetMs);

      await record(0);
      for (let n = 1; n <= 20; n += 1) await record(n * 1000);
      await record(0, `${subject}-other`);

      const hour = nameHour(atMs);
      expect((await readCounts(atMs)).map((item) => [item.subject, item.count]).sort()).toEqual([
        [subject, 0],
        [subject, 20],
        [`${subject}-other`, 0],
      ]);
      expect((await closeHour(hour, Date.now())).recorded).toBe(1);
      expect(await readEntries(event.request_id)).toMatchObject([
        { count: 20, last_at: new Date(atMs + 20_000).toISOString(), action: event.action },
      ]);
    });

    test('is counted by each of those that come at once, and recorded once', async () => {
      const [event, subject, atMs] = [createEvent(), randomLetters(), takeHour()];

      await Promise.all(Array.from({ length: 30 }, () => recordOrCount(event, subject, 200, atMs)));
      const hour = nameHour(atMs);
      const recorded = await Promise.all([closeHour(hour, Date.now()), closeHour(hour, Date.now())]);
      (await closeHour(hour, Date.now())).recorded;

      expect(recorded[0].recorded + recorded[1].recorded).toBe(1);
      expect((await readEntries(event.request_id)).map(({ count }) => count)).toEqual([29]);
    });
  });
}
