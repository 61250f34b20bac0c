import { AsyncLocalStorage } from 'node:async_hooks';
import type * as z from 'zod/mini';
import { runWithin } from '#shared/async/run-within.ts';
import type { Write } from '#shared/db/items.ts';
import { joinWrite } from '#shared/db/joined-writes.ts';
import { withAuthor } from '#shared/db/revisions/keep.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { AuditActor } from './entry.ts';
import { readRetentionDays } from './retention.ts';
import type { Recorded, RecordingOptions } from './write-entries.ts';

export { readRetentionDays };

const recordings = new AsyncLocalStorage<Recording>();

/** Longest time to record a failure, in milliseconds. */
const failureLimitMs = 3_000;
/** Time that the function needs to answer after it, in milliseconds. */
const reserveMs = 500;

/** What writes entries is loaded with the first one. */
const load = () => import('./write-entries.ts');

/**
 * The record of one action. An action that changes data is recorded in the transaction of its first write, any other
 * one before its answer.
 */
export class Recording implements Recorded {
  readonly options: RecordingOptions;
  actor: AuditActor;
  input: unknown;
  given: unknown;
  readonly parts: Recorded['parts'] = {};
  isWritten = false;
  unchanged: string | undefined;
  begun: string | undefined;
  target: string | null = null;
  readonly retentionDays = readRetentionDays();

  constructor(options: RecordingOptions) {
    this.options = options;
    this.actor = options.actor;
  }

  /** Runs the action. @throws its error; AppError `database.*` if it wrote nothing and its entry cannot be written */
  async run<T>(action: () => Promise<T>): Promise<T> {
    const join = {
      create: async (writes: readonly Write[]) => (await load()).createJoined(this, writes),
      onWritten: () => {
        this.isWritten = true;
      },
    };
    const result = await recordings.run(this, () =>
      withAuthor(
        () => this.#toAuthor(),
        () => joinWrite(join, action),
      ),
    );
    if (!this.isWritten && (this.begun || !this.options.onlyChanges)) await (await load()).writeAlone(this);
    return result;
  }

  /** Who revisions name. A login names its caller later. */
  #toAuthor() {
    const { kind, id, account } = this.actor;
    const { action, requestId: request_id } = this.options;
    return { by: { kind, id, account }, action, request_id };
  }

  /**
   * Records that the action failed or was refused. Never throws, and ends in time: the caller gets the error of the
   * action.
   */
  async fail(error: AppError): Promise<void> {
    const { remainingMs = () => Number.POSITIVE_INFINITY } = this.options;
    const limitMs = Math.min(failureLimitMs, remainingMs() - reserveMs);
    const expire = () => new Error('the database took too long');
    try {
      await runWithin(limitMs, expire, async () => (await load()).writeFailure(this, error));
    } catch (cause) {
      const { action, requestId } = this.options;
      log.error('audit.not_written', { action, code: error.code, request_id: requestId, error: cause });
    }
  }
}

/** Names the caller of a login, for its record. @param client ID of the OAuth client that acts for the administrator */
export function identifyCaller(caller: { id: string; account: string; client?: string }): void {
  const { id, account, client } = caller;
  const recording = recordings.getStore();
  if (recording)
    recording.actor = client ? { kind: 'oauth', id, account, client } : { kind: 'admin', id, account };
}

/** Adds a part of the input whose schema only the handler knows, to the record of the action. */
export function recordPart(name: string, schema: z.core.$ZodType, value: unknown): void {
  const recording = recordings.getStore();
  if (recording) recording.parts[name] = { schema, value };
}

/**
 * Says why the action changes nothing although it is answered as done, as a deletion of several records in which none
 * could be deleted. Its entry has this code instead of `ok`, unless something was written.
 */
export function recordUnchanged(code: string): void {
  const recording = recordings.getStore();
  if (recording) recording.unchanged = code;
}

/**
 * Says that the action is only begun, as a login that needs a second step, and what it waits for. Its entry is `ok` and
 * has this code, unless something was written.
 */
export function recordBegun(code: string): void {
  const recording = recordings.getStore();
  if (recording) recording.begun = code;
}
