import { getItem } from '#shared/db/items.ts';
import { log } from '#shared/log/log.ts';
import { configKey } from '#shared/settings/group.ts';

/** The setting, in whole days. The functions of all changes read it, so it is checked here without a schema. */
export const retention = { group: 'audit', key: 'retention_days', min: 30, max: 3650, default: 200 } as const;
/** How long a process keeps the value. */
const knownForMs = 60_000;

let known: { days: Promise<number>; readAt: number } | undefined;

/** Lets a save in this process count at once. */
export function forgetRetention(): void {
  known = undefined;
}

/**
 * The days that new entries are kept. Never rejects: without an answer of the database it is the default.
 *
 * It is read from the table, once a minute and process, because a cached setting would be two more keys in the cache's
 * request of every change.
 */
export function readRetentionDays(nowMs = Date.now()): Promise<number> {
  if (!known || nowMs - known.readAt >= knownForMs) known = { days: load(), readAt: nowMs };
  return known.days;
}

async function load(): Promise<number> {
  try {
    const item = await getItem(configKey(retention.group, retention.key));
    const days = Number(item?.value);
    return Number.isInteger(days) && days >= retention.min && days <= retention.max
      ? days
      : retention.default;
  } catch (error) {
    log.warn('audit.retention_unreadable', { error });
    known = undefined;
    return retention.default;
  }
}
