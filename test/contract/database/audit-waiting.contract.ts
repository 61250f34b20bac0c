import { describe, expect, test } from '@jest/globals';
import { chainEndKey, createBeginning } from '#modules/System/audit/chain-end.ts';
import { countDueDigests, countRefusedLogins } from '#modules/System/audit/waiting.ts';
import type { AuditEvent } from '#shared/audit/entry.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { deleteItem, getItem, transact } from '#shared/db/items.ts';
import { putItem, putNew } from '#shared/db/writes.ts';

const hour = 3_600_000;
const login: AuditEvent = {
  actor: { kind: 'admin', id: null, account: null },
  ...{ channel: 'api', action: 'system/login/account', target: null, outcome: 'refused' },
  ...{ code: 'auth.credentials_invalid', fields: {}, request_id: 'r', address: '192.0.2.1' },
};
const add = (atMs: number, more: Partial<AuditEvent> = {}) =>
  transact([putNew(toAuditItem(createEntry({ ...login, ...more }, 3000, atMs)))]);

/** What of the audit log waits for an administrator. */
export function describeAuditWaiting(): void {
  describe('what waits in the audit log', () => {
    test('are the refused logins of 24 hours, with those that were only counted', async () => {
      // The day before is another month, and another partition.
      const now = Date.UTC(2031, 2, 1, 5);
      await add(now - 25 * hour);
      await add(now - 20 * hour, { count: 3 });
      await add(now - 1 * hour);
      await add(now - 1 * hour, { outcome: 'ok', code: 'ok' });
      await add(now - 1 * hour, { action: 'system/role/add' });

      expect(await countRefusedLogins(50, now)).toBe(4);
      expect(await countRefusedLogins(2, now)).toBe(2);
    });

    test('looks at no more than the newest 250 entries', async () => {
      const now = Date.UTC(2031, 5, 10);
      await add(now - 2 * hour);
      for (let written = 0; written < 250; written += 50) {
        const entries = Array.from({ length: 50 }, () =>
          createEntry({ ...login, action: 'system/role/add' }, 3000, now - hour),
        );
        await transact(entries.map((entry) => putNew(toAuditItem(entry))));
      }

      expect(await countRefusedLogins(50, now)).toBe(0);
      await add(now - 0.5 * hour);
      expect(await countRefusedLogins(50, now)).toBe(1);
    });

    test('is a digest that is due, by its hours', async () => {
      const before = await getItem(chainEndKey);
      const now = Date.UTC(2031, 8, 1);
      const endsAt = (ms: number) => transact([putItem({ ...chainEndKey, ...createBeginning(ms) })]);
      const due = async (hours: number) => {
        await endsAt(now - hours * hour);
        return countDueDigests(now);
      };

      expect([await due(0), await due(2.9), await due(3), await due(30)]).toEqual([0, 0, 1, 28]);
      await deleteItem(chainEndKey);
      expect(await countDueDigests(now)).toBe(0);
      if (before) await transact([putItem(before)]);
    });
  });
}
