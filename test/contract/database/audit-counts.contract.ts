import { describe, expect, test } from '@jest/globals';
import { listCountPartitions, recordCounts, recordOrCount } from '#shared/audit/counts.ts';
import type { AuditEvent, StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { queryPartition } from '#shared/db/items.ts';
import { randomLetters } from '../../support/database.ts';

const createEvent = (): AuditEvent => ({
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
      const counted = (await Promise.all(listCountPartitions(hour).map((pk) => queryPartition(pk)))).flat();
      expect(counted.map(({ sk, count }) => [sk, count]).sort()).toEqual([
        [subject, 20],
        [`${subject}-other`, 0],
      ]);
      expect(await recordCounts(hour)).toBe(1);
      expect(await readEntries(event.request_id)).toMatchObject([
        { count: 20, last_at: new Date(atMs + 20_000).toISOString(), action: event.action },
      ]);
    });

    test('is counted by each of those that come at once, and recorded once', async () => {
      const [event, subject, atMs] = [createEvent(), randomLetters(), takeHour()];

      await Promise.all(Array.from({ length: 30 }, () => recordOrCount(event, subject, 200, atMs)));
      const hour = nameHour(atMs);
      const recorded = await Promise.all([recordCounts(hour), recordCounts(hour)]);
      await recordCounts(hour);

      expect(recorded[0] + recorded[1]).toBe(1);
      expect((await readEntries(event.request_id)).map(({ count }) => count)).toEqual([29]);
    });
  });
}
