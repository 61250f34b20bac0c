import * as z from 'zod/mini';
import { getItem } from '#shared/db/items.ts';
import { addMirror } from '#shared/db/mirrors.ts';
import { log } from '#shared/log/log.ts';
import { configKey, defineConfigGroup, setting } from '#shared/settings/group.ts';

const schema = z.int().check(z.gte(30), z.lte(3650));
const group = 'audit';
const key = 'retention_days';
const defaultDays = 200;
/** How long a process keeps the value. */
const knownForMs = 60_000;

let known: { days: Promise<number>; readAt: number } | undefined;

/** Settings of the audit log. */
export const audit = defineConfigGroup({
  name: group,
  keys: {
    [key]: setting({
      schema,
      default: defaultDays,
      description: {
        zh_CN: '审计记录的保留天数，30 至 3650；只对新记录生效',
        en: 'Days to keep entries of the audit log, 30 to 3650; for new entries only',
      },
    }),
  },
});

// A save in this process counts at once.
addMirror({
  prefix: configKey(group, '').pk,
  cache: {
    ttlSeconds: knownForMs / 1000,
    async invalidate() {
      known = undefined;
      return true;
    },
  },
  clearsOnPut: true,
});

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
    const item = await getItem(configKey(group, key));
    const stored = z.safeParse(schema, item?.value);
    return stored.success ? stored.data : defaultDays;
  } catch (error) {
    log.warn('audit.retention_unreadable', { error });
    known = undefined;
    return defaultDays;
  }
}
