import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { coreStack } from '#functions/stacks/stack.ts';
import { type Bucket, getObject, openBucket, putObject } from './bucket.ts';
import { toStackName } from './stack-state.ts';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const runSchema = z.strictObject({
  id: z.string(),
  /** When it began, in ISO 8601. */
  at: z.string(),
  kind: z.enum(['deploy', 'rollback']),
  /** `open` until every stack is deployed; `verified` after its checks have passed. */
  state: z.enum(['open', 'done', 'verified']),
  /** The hashes of each stack's content before and after; null if nothing known ran before. */
  stacks: z.record(z.string(), z.strictObject({ from: z.nullable(hash), to: hash })),
});
const historySchema = z.array(runSchema);

/** A run of the command that changed stacks. */
export type Run = z.infer<typeof runSchema>;
export type RunChanges = Run['stacks'];

/** The runs of a stage, the oldest first, with the place to add more. */
export interface History {
  bucket: Bucket;
  runs: readonly Run[];
  /** Undefined before the first run. */
  etag: string | undefined;
}

/** Key in the bucket of `core`. */
export const historyKey = 'history.json';
/** Runs that are remembered. */
export const historyLimit = 20;

/** Reads the history of a stage; undefined before `core` exists. @throws Error if it is damaged */
export async function readHistory(region: string, stage: string): Promise<History | undefined> {
  const bucket = await openBucket(region, toStackName(coreStack, stage));
  if (!bucket) return undefined;
  const stored = await getObject(bucket, historyKey);
  if (!stored) return { bucket, runs: [], etag: undefined };
  const { data } = z.safeParse(historySchema, parse(stored.body));
  if (data) return { bucket, runs: data, etag: stored.etag };
  throw new Error(`${historyKey} in the bucket ${bucket.name} is damaged. Delete it to begin a new history.`);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

async function write({ bucket, etag }: History, runs: readonly Run[]): Promise<void> {
  const text = `${JSON.stringify(runs.slice(-historyLimit), null, 2)}\n`;
  if (await putObject(bucket, historyKey, text, { replaces: etag })) return;
  throw new Error('Another run has begun at the same time. Repeat this one when it has ended.');
}

/**
 * Notes a run before it changes anything.
 *
 * @returns the ID of the run
 * @throws Error if another run was noted since the history was read
 */
export async function beginRun(history: History, kind: Run['kind'], stacks: RunChanges): Promise<string> {
  const id = randomUUID();
  const run: Run = { id, at: new Date().toISOString(), kind, state: 'open', stacks };
  await write(history, [...history.runs, run]);
  return id;
}

/** Notes that a run has ended, or was verified. Idempotent. @returns the history after it */
export async function markRun(
  region: string,
  stage: string,
  id: string,
  state: Run['state'],
): Promise<History | undefined> {
  const history = await readHistory(region, stage);
  if (!history?.runs.some((run) => run.id === id && run.state !== state)) return history;
  await write(
    history,
    history.runs.map((run) => (run.id === id ? { ...run, state } : run)),
  );
  return readHistory(region, stage);
}
