import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { type CountedEvent, listCountPartitions } from '#shared/audit/counts.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { isCountGenuine } from '#shared/audit/stored-counts.ts';
import { createRecordMac, isRecordMac } from '#shared/crypto/record-mac.ts';
import { holds, type Item, type Key, type Position, queryPage, transact } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem } from '#shared/db/writes.ts';
import { log } from '#shared/log/log.ts';
import type { CountLine } from './digest.ts';

const recordedPurpose = 'audit-recorded';
/** Most counts of one entry: its transaction must hold all of them. */
const mostOfEntry = 90;

const counted = z.strictObject({
  pk: z.string(),
  sk: z.string(),
  subject: z.string(),
  count: z.int(),
  last_at: z.iso.datetime(),
  event: z.string(),
  retention_days: z.int(),
  [ttlAttribute]: z.int(),
  mac: z.string(),
  /** How much of the count has entries, and the MAC of that. */
  recorded: z.optional(z.int()),
  recorded_mac: z.optional(z.string()),
});
type Counted = z.infer<typeof counted>;

/** Reads and checks a stored count; undefined if this service did not write the item as it is. */
export function readCount(item: Item): Counted | undefined {
  const { success, data } = z.safeParse(counted, item);
  if (!success) return undefined;
  const { mac, recorded, recorded_mac = '', ...content } = data;
  if (!isCountGenuine(content, mac)) return undefined;
  if (recorded === undefined) return 'recorded_mac' in data ? undefined : data;
  return isRecordMac(recordedPurpose, toSignedRecord(data, recorded), recorded_mac) ? data : undefined;
}

const toSignedRecord = ({ pk, sk }: Key, recorded: number) => ({ pk, sk, recorded });

const toCountLine = ({ pk, sk, count, recorded = 0, [ttlAttribute]: expires }: Counted): CountLine => ({
  pk,
  sk,
  count,
  recorded,
  expires,
});

interface ClosedHour {
  /** Number of entries that were written. */
  recorded: number;
  /** The counts of the hour, for a digest. */
  lines: CountLine[];
}

/**
 * Reads the counts of an hour. If it is over, writes an entry for the counted events of each subject. May be repeated,
 * and may run twice at once.
 *
 * @param hour `2026-11-23T05`, UTC
 * @param nowMs time of the entries, in Unix milliseconds; undefined for an hour that is not over
 */
export async function closeHour(hour: string, nowMs: number | undefined): Promise<ClosedHour> {
  const items = await readHour(hour);
  const recorded = nowMs === undefined ? 0 : await recordItems(items, nowMs);
  const stored = recorded > 0 ? await readHour(hour) : items;
  return { recorded, lines: stored.map(toCountLine) };
}

async function recordItems(items: readonly Counted[], nowMs: number): Promise<number> {
  let recorded = 0;
  for (const group of groupBySubject(items)) {
    for (let at = 0; at < group.length; at += mostOfEntry) {
      if (await recordGroup(group.slice(at, at + mostOfEntry), nowMs)) recorded += 1;
    }
  }
  return recorded;
}

/** What was counted since the last entry. */
const fresh = ({ count, recorded = 0 }: Counted): number => Math.max(0, count - recorded);

function groupBySubject(items: readonly Counted[]): Counted[][] {
  const groups = Map.groupBy(
    items.filter((item) => fresh(item) > 0),
    ({ subject }) => subject,
  );
  return [...groups.values()];
}

/** @returns whether an entry was written */
async function recordGroup(items: readonly Counted[], nowMs: number): Promise<boolean> {
  const [first] = items;
  if (!first) return false;
  const count = items.reduce((sum, item) => sum + fresh(item), 0);
  const last_at = items.reduce((latest, item) => (item.last_at > latest ? item.last_at : latest), '');
  const event: CountedEvent = JSON.parse(first.event);
  const entry = toAuditItem(createEntry({ ...event, count, last_at }, first.retention_days, nowMs));
  const marks = items.map(({ pk, sk, count, recorded }) =>
    changeItem(
      { pk, sk },
      {
        set: {
          recorded: count,
          recorded_mac: createRecordMac(recordedPurpose, toSignedRecord({ pk, sk }, count)),
        },
        expect: { recorded },
      },
    ),
  );
  return holds(transact([...marks, putItem(entry)]));
}

/** The genuine counts of an hour. Others raise the alarm, and `audit:verify` names them. */
async function readHour(hour: string): Promise<Counted[]> {
  const [day = '', time = ''] = hour.split('T');
  const pages = await settleAll(listCountPartitions(day).map((pk) => readBeginning(pk, `${time}#`)));
  return pages.flat().flatMap((item) => {
    const count = readCount(item);
    if (!count) log.error('audit.count_invalid', { pk: item.pk, sk: item.sk });
    return count ?? [];
  });
}

async function readBeginning(pk: string, beginning: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Position | undefined;
  do {
    const page = await queryPage({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': pk, ':sk': beginning },
      ConsistentRead: true,
      ExclusiveStartKey: start,
    });
    items.push(...page.items);
    start = page.last;
  } while (start);
  return items;
}
