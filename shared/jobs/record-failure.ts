import { randomUUID } from 'node:crypto';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { readRetentionDays } from '#shared/audit/retention.ts';
import { transact } from '#shared/db/items.ts';
import { withoutJoin } from '#shared/db/joined-writes.ts';
import { putItem } from '#shared/db/writes.ts';
import { log } from '#shared/log/log.ts';

/** Route that starts a job; what a schedule starts has the same name in the audit log. */
const jobAction = 'system/job/run';

/** Records a failed or missed run in the audit log. Never rejects: the failure itself matters more. */
export async function recordFailure(name: string, code: string): Promise<void> {
  const event = {
    actor: { kind: 'system', id: null, account: null },
    channel: 'schedule',
    action: jobAction,
    target: `job:${name}`,
    outcome: 'failed',
    code,
    fields: {},
    request_id: randomUUID(),
    address: null,
  } as const;
  try {
    const entry = createEntry(event, await readRetentionDays());
    await withoutJoin(() => transact([putItem(toAuditItem(entry))]));
  } catch (error) {
    log.error('audit.not_written', { action: jobAction, code, error });
  }
}
