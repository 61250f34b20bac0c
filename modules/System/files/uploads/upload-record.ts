import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { mimeTypes, uploadTransport } from '#shared/config/upload.ts';
import { defineEntity, findRow, partitionOf, putRow } from '#shared/db/entity.ts';
import { singleKey, transact } from '#shared/db/items.ts';
import { listPartitions, pickPartition } from '#shared/db/spread-index.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import type { AcceptedUpload, DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import { keepOriginalName } from '#shared/storage/naming/keep-original-name.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { openTicket } from '#shared/storage/ticket.ts';
import systemErrors from '../../errors.ts';
import { addFile, chooseFilePlaces, learnFilePlaces } from '../records/add-file.ts';
import { type StoredFile, storedFile, type Uploader } from '../records/file-record.ts';

/** An upload that has begun. It is stored before the first byte, so that the sweep finds what it may leave. */
export interface Upload {
  /** The record of the file, once the upload is complete; it has the upload's ID. */
  file: StoredFile;
  /** Unix seconds from which it cannot be completed. */
  expiresAt: number;
  isComplete: boolean;
}

const stored = z.object({
  file: storedFile,
  expires_at: z.number(),
  is_complete: z._default(z.boolean(), false),
});

export const uploads = defineEntity({
  row: z.pipe(
    stored,
    z.transform(
      ({ file, expires_at: expiresAt, is_complete: isComplete }): Upload => ({
        ...{ file, expiresAt, isComplete },
      }),
    ),
  ),
  key: ({ id }: { id: string }) => singleKey(`UPLOAD#${id}`),
  indexes: {
    /** By the moment from which they are cleaned up; always spread. */
    bySweep: {
      name: 'gsi1',
      pk: () => 'UPLOAD',
      sk: ({ file, expiresAt }) => toSweepKey(expiresAt + uploadTransport.graceSeconds, file.id),
    },
  },
  toAttributes: ({ file, expiresAt }) => ({ file, expires_at: expiresAt }),
  missing: () => systemErrors.create('upload.ticket_invalid'),
});

/** Partitions of the sweep's index. */
export const uploadPartitions = 16;
const plainPartition = partitionOf(uploads.indexes.bySweep, {});
export const listUploadPartitions = (): string[] => listPartitions(plainPartition.pk, uploadPartitions);

/** Where the sweep's index keeps an upload. @param seconds Unix seconds from which it is cleaned up */
export const toSweepKey = (seconds: number, id: string): string =>
  `${new Date(seconds * 1000).toISOString()}#${id}`;

type NewUpload = Omit<StoredFile, 'id' | 'created_at'>;

/** Where a file belongs, as the client says. */
export interface FilePlace {
  cid: string | null;
  module: string;
  tag: string;
}

/** The record of a file that goes to an engine, at a new path (specification, step 4). */
export function describeUpload(
  engine: NamedEngine,
  { type, ext }: AcceptedUpload,
  { name, sizeBytes }: DeclaredUpload,
  place: FilePlace,
  uploader: Uploader,
): NewUpload {
  const key = createObjectPath({ type, ext });
  return {
    ...place,
    type,
    ext,
    key,
    engine: engine.name,
    uri: engine.publicUrl(key),
    name: keepOriginalName(name),
    mime: mimeTypes[ext],
    size: sizeBytes,
    uploader,
  };
}

/** Stores an upload. @param seconds how long it may take */
export async function beginUpload(file: NewUpload, seconds: number): Promise<Upload> {
  const id = ulid();
  const upload: Upload = {
    file: { ...file, id, created_at: new Date().toISOString() },
    expiresAt: Math.floor(Date.now() / 1000) + seconds,
    isComplete: false,
  };
  const places = { gsi1pk: pickPartition(plainPartition.pk, uploadPartitions) };
  const note = transact([putRow(uploads, { id, ...upload }, places)]);
  await settleAll([note, learnFilePlaces(upload.file)]);
  return upload;
}

/**
 * Finds the upload of a ticket.
 *
 * @param caller has to be the uploader; everyone may use a guest's ticket. Leave it out if the ticket alone
 *   authorises
 * @throws AppError `upload.ticket_invalid`
 */
export async function findUpload(ticket: string, caller?: Uploader): Promise<Upload> {
  const id = openTicket(ticket);
  const upload = id === undefined ? undefined : await findRow(uploads, { id });
  if (!upload || upload.expiresAt * 1000 <= Date.now()) throw systemErrors.create('upload.ticket_invalid');
  const { uploader } = upload.file;
  const isOwn = uploader.kind === 'guest' || (uploader.kind === caller?.kind && uploader.id === caller.id);
  if (caller && !isOwn) throw systemErrors.create('upload.ticket_invalid');
  return upload;
}

/**
 * Records the file of an upload whose object is stored.
 *
 * @param isOver whether nothing can be sent to its key any more; else the sweep looks again
 * @throws ConditionError `[1]` if the file is recorded, `[0]` if the upload is gone or complete, `[2]` if its category
 *   is gone
 */
export async function completeUpload({ file }: Upload, isOver: boolean): Promise<void> {
  const key = uploads.key(file);
  const open = { expect: { is_complete: undefined } };
  const close = isOver ? removeItem(key, open) : changeItem(key, { set: { is_complete: true }, ...open });
  await transact([close, ...addFile(file, await chooseFilePlaces(file))]);
}
