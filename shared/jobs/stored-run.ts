import * as z from 'zod/mini';
import { getItem, type Item, queryPartition, transact } from '#shared/db/items.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** All jobs are one partition: a start page reads it with one query. */
const partition = 'JOB';
const keyOf = (name: string) => ({ pk: partition, sk: name });

export const writtenKeys: ListWrittenKeys = () => [{ keys: partition, actions: ['PutItem', 'UpdateItem'] }];

const time = z.iso.datetime();

/** The last run of a job. `cut`, and `running` after its lease, go on with the cursor. */
export const storedRun = z.object({
  name: z.string(),
  outcome: z.enum(['running', 'cut', 'done', 'failed']),
  due_at: time,
  /** For which `next_due_at` holds: a deployment may change it. */
  schedule: z.string(),
  /** The next due time; null after the last. */
  next_due_at: z.nullable(time),
  started_at: time,
  finished_at: z.nullable(time),
  /** Until then no other run begins, in Unix milliseconds. */
  lease_until: z.int(),
  /** Names the try that holds the lease. */
  holder: z.string(),
  /** Tries of this due time. */
  tries: z.int(),
  cursor: z.nullable(z.string()),
  /** Fields that the last finished run returned, as JSON. */
  result: z.nullable(z.string()),
  /** Error code of a failed run. */
  code: z.nullable(z.string()),
  version: z.int(),
});
export type StoredRun = z.infer<typeof storedRun>;

const toStoredRun = (item: Item): StoredRun => z.parse(storedRun, item);

export async function readRun(name: string): Promise<StoredRun | undefined> {
  const item = await getItem(keyOf(name));
  return item && toStoredRun(item);
}

/** The last runs of all jobs. One that another version of the service has stored otherwise is left out. */
export async function listRuns(): Promise<StoredRun[]> {
  const items = await queryPartition(partition);
  return items.flatMap((item) => z.safeParse(storedRun, item).data ?? []);
}

/** Replaces what is stored. @throws ConditionError if it is not `old` any more */
export async function writeRun(old: StoredRun | undefined, run: StoredRun): Promise<void> {
  const item = { ...keyOf(run.name), ...run, version: (old?.version ?? 0) + 1 };
  await transact([old ? putItem(item, { expect: { version: old.version } }) : putNew(item)]);
}

/** Changes the run of a holder. @throws AppError `job.lost` if another has taken over */
export async function changeRun(
  { name, holder }: Pick<StoredRun, 'name' | 'holder'>,
  set: Partial<StoredRun>,
): Promise<void> {
  const lost = () => new AppError('job.lost');
  const change = { set, add: { version: 1 }, expect: { holder, outcome: 'running' } };
  await transact([changeItem(keyOf(name), change, lost)]);
}
