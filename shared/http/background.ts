import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import type { Key } from '#shared/db/items.ts';
import { runJob } from '#shared/jobs/run-job.ts';
import { captureConsole, log } from '#shared/log/log.ts';
import type { CachedRecords, CacheListener, Job } from '#shared/module/module.ts';

/** What calls a job: EventBridge with `time`, its scheduler and the local server with `due`, in ISO 8601. */
interface JobEvent {
  time?: string;
  due?: string;
  isCatchingUp?: boolean;
}

/** The Lambda handler of a job. A failure is logged and thrown, so that Lambda tries the same due time again. */
export const jobHandler = (job: Job, { name }: { name: string }) =>
  createHandler('job', name, ({ due, time, isCatchingUp }: JobEvent, context) =>
    runJob(job, {
      name,
      due: new Date(due ?? time ?? Date.now()),
      isCatchingUp: isCatchingUp === true,
      remainingMs: () => context.getRemainingTimeInMillis(),
    }),
  );

/** The Lambda handler of a listener on the table's stream. A failure is thrown: Lambda sends the records again. */
export const streamHandler = (
  { handle }: CacheListener,
  { name, cached = [] }: { name: string; cached?: readonly CachedRecords[] },
) =>
  createHandler('stream', name, async (event: DynamoDBStreamEvent) => {
    const changed = readKeys(event);
    return { records: changed.length, ...(await handle(changed, cached)) };
  });

function createHandler<Event, Outcome extends object>(
  kind: 'job' | 'stream',
  name: string,
  work: (event: Event, context: Context) => Promise<Outcome>,
) {
  captureConsole();
  return async (event: Event, context: Context): Promise<Outcome> => {
    const fields = { request_id: context.awsRequestId, function: name };
    try {
      const outcome = await work(event, context);
      log.info(kind, { ...fields, ...outcome });
      return outcome;
    } catch (error) {
      log.error(`${kind}.failed`, { ...fields, error });
      throw error;
    }
  };
}

/** Keys of the records. A record without keys is skipped, because a retry would fail again and delay the rest. */
function readKeys({ Records: records }: DynamoDBStreamEvent): Key[] {
  return records.flatMap(({ eventID, dynamodb }) => {
    const [pk, sk] = [dynamodb?.Keys?.pk?.S, dynamodb?.Keys?.sk?.S];
    if (pk !== undefined && sk !== undefined) return [{ pk, sk }];
    log.warn('stream.record_without_keys', { event_id: eventID });
    return [];
  });
}
