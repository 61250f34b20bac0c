import type * as z from 'zod/mini';
import { transact, type Write } from '#shared/db/items.ts';
import { withoutJoin } from '#shared/db/joined-writes.ts';
import { putItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { toCountedAddress } from '#shared/net/counted-address.ts';
import { type CountedEvent, recordOrCount } from './counts.ts';
import type { AuditActor, AuditChannel, AuditEvent } from './entry.ts';
import { describeFields, listKnownPaths } from './fields.ts';
import { formatTarget } from './known-target.ts';
import { createEntry, toAuditItem } from './new-entry.ts';
import { findTarget } from './target.ts';

export interface RecordingOptions {
  actor: AuditActor;
  channel: AuditChannel;
  /** The permission, without its kind. */
  action: string;
  requestId: string;
  /** The client's; null for a command. */
  address: string | null;
  /** Milliseconds until the function is stopped; undefined for a command. */
  remainingMs?(): number;
  /** First part of the paths of errors: `body`. */
  root: string;
  /** Whether failures that write nothing are counted, by address, account and code: anybody can cause them. */
  isLogin?: boolean;
  /** Whether an action that writes nothing leaves no entry. */
  onlyChanges?: boolean;
  /** Describes the input. */
  schema?: z.core.$ZodType | undefined;
  /** The record that the input names: `article:{id}` (`known-target.ts`). */
  target?: string | undefined;
}

/** What is known of an action. */
export interface Recorded {
  readonly options: RecordingOptions;
  /** The caller; of a login, known only after the check of the password. */
  actor: AuditActor;
  /** The input, if it is valid. */
  input: unknown;
  /** The input as sent. */
  given: unknown;
  /** Parts of the input whose schema only the handler knows, by name. */
  readonly parts: Record<string, { schema: z.core.$ZodType; value: unknown }>;
  /** Whether an entry says `ok`. */
  isWritten: boolean;
  /** Error code of an action that changed nothing, but is answered as done. */
  unchanged: string | undefined;
  /** Error code of an action that is only begun. */
  begun: string | undefined;
  /** The record that the input names; without one, what the first write changes. */
  target: string | null;
  readonly retentionDays: Promise<number>;
}

/** The entry of an action, for the transaction of its first write. */
export async function createJoined(recording: Recorded, writes: readonly Write[]): Promise<Write[]> {
  recording.target = findKnownTarget(recording, false) ?? findTarget(writes);
  const event = createEvent(recording, 'ok', 'ok', describeInput(recording));
  return [putEntry(event, await recording.retentionDays)];
}

/** Writes the entry of an action that wrote nothing. @throws AppError `database.*` */
export async function writeAlone(recording: Recorded): Promise<void> {
  // Writes may have been tried, and failed.
  recording.target = findKnownTarget(recording);
  const { unchanged, begun = 'ok', unchanged: code = begun } = recording;
  const outcome = unchanged === undefined ? 'ok' : outcomeOf(new AppError({ code: unchanged }));
  const event = createEvent(recording, outcome, code, describeInput(recording));
  await transact([putEntry(event, await recording.retentionDays)]);
  recording.isWritten = true;
}

/** Writes the entry of an action that failed or was refused. @throws AppError `database.*` */
export async function writeFailure(recording: Recorded, error: AppError): Promise<void> {
  recording.target ??= findKnownTarget(recording);
  const outcome: CountedEvent['outcome'] = recording.isWritten ? 'failed' : outcomeOf(error);
  const event = createEvent(recording, outcome, error.code, describeFailure(recording, error));
  const days = await recording.retentionDays;
  const subject = findSubject(recording, error);
  // The action around this one, such as the request of a tool call, has an entry of its own.
  await withoutJoin(() =>
    subject ? recordOrCount(event, subject, days) : transact([putEntry(event, days)]),
  );
}

const outcomeOf = ({ status }: AppError): CountedEvent['outcome'] => (status >= 500 ? 'failed' : 'refused');

/** @param isFirstEnough whether an input that names several records counts by its first */
function findKnownTarget({ options, actor, given }: Recorded, isFirstEnough = true): string | null {
  const { target, schema } = options;
  return target === undefined
    ? null
    : formatTarget(target, { schema, given, adminId: actor.id, isFirstEnough });
}

/** What repeated failures are counted by; undefined if each is recorded. */
function findSubject(
  { options, actor, isWritten }: Recorded,
  { code, status, errors }: AppError,
): string | undefined {
  if (options.isLogin && !isWritten) {
    return `login#${toCountedAddress(options.address ?? '')}#${actor.id ?? 'unknown'}#${code}`;
  }
  if (!isWritten && actor.id !== null && options.channel !== 'cli' && isInvalid(code, status))
    return `invalid#${actor.id}#${options.action}#${code}`;
  if (code === 'auth.scope_insufficient' || code === 'auth.factor_required')
    return `refused#${actor.id}#${options.action}#${code}`;
  return code === 'auth.permission_denied' ? `refused#${actor.id}#${errors?.[0]?.path}` : undefined;
}

/** Whether a request could not be read, or was not valid. */
const isInvalid = (code: string, status: number): boolean =>
  status === 400 || status === 422 || code.startsWith('request.');

const putEntry = (event: AuditEvent, retentionDays: number): Write =>
  putItem(toAuditItem(createEntry(event, retentionDays)));

function createEvent<Outcome extends AuditEvent['outcome']>(
  { options, actor, target }: Recorded,
  outcome: Outcome,
  code: string,
  fields: AuditEvent['fields'],
): AuditEvent & { outcome: Outcome } {
  const { channel, action, requestId: request_id, address } = options;
  return { actor, channel, action, target, outcome, code, fields, request_id, address };
}

function describeInput({ options: { schema }, input, parts }: Recorded): AuditEvent['fields'] {
  const fields = schema && input !== undefined ? describeFields(schema, input) : {};
  for (const [name, part] of Object.entries(parts)) fields[name] = describeFields(part.schema, part.value);
  return fields;
}

/** Keeps only the paths of input that is not valid. */
function describeFailure(recording: Recorded, { errors = [] }: AppError): AuditEvent['fields'] {
  const { options, input } = recording;
  if (input !== undefined || !options.schema) return describeInput(recording);
  const paths = errors.map(({ path }) => path);
  const invalid = listKnownPaths(options.schema, options.root, paths);
  return invalid.length > 0 ? { invalid } : {};
}
