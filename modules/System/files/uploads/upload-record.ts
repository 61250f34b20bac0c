import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { defineEntity, partitionOf, putRow, singleKey } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { listPartitions, pickPartition } from '#shared/db/spread-index.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import systemErrors from '../../errors.ts';
import { addFile, chooseFilePlaces, learnFilePlaces } from '../records/add-file.ts';
import { type StoredFile, storedFile } from '../records/file-record.ts';

/**
 * An upload that has begun. It is there before the first byte is, so that the sweep finds whatever an upload
 * leaves that is never finished.
 */
export interface Upload {
  /** The record that is made of it; its ID is the upload's. */
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

/** Partitions that uploads under way are spread over; only the sweep reads them. */
export const uploadPartitions = 16;
const plainPartition = partitionOf(uploads.indexes.bySweep, {});
export const listUploadPartitions = (): string[] => listPartitions(plainPartition.pk, uploadPartitions);

/** Where the sweep's index keeps an upload. @param seconds Unix seconds from which it is cleaned up */
export const toSweepKey = (seconds: number, id: string): string =>
  `${new Date(seconds * 1000).toISOString()}#${id}`;

/** What an upload begins with; the rest is made here. */
export type NewUpload = Omit<StoredFile, 'id' | 'created_at'>;

/**
 * Notes an upload.
 *
 * @param seconds how long it may take
 */
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
 * Records the file of an upload whose object is stored.
 *
 * @param isOver whether nobody can send anything to its key any more; else the sweep looks again
 * @throws ConditionError `[1]` if the file is recorded, `[0]` if the upload is gone or complete, `[2]` if its category
 *   is gone
 */
export async function completeUpload({ file }: Upload, isOver: boolean): Promise<void> {
  const key = uploads.key(file);
  const open = { expect: { is_complete: undefined } };
  const close = isOver ? removeItem(key, open) : changeItem(key, { set: { is_complete: true }, ...open });
  await transact([close, ...addFile(file, await chooseFilePlaces(file))]);
}
