import { ulid } from 'ulid';
import { settleAll } from '#shared/async/settle-all.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { getItem, type Item, transact, type Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { pickPartition } from '#shared/db/spread-index.ts';
import { addFile, chooseFilePartitions, learnFilePartitions } from '../records/add-file.ts';
import type { StoredFile } from '../records/file-record.ts';

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

/** Partitions that uploads under way are spread over; only the sweep reads them. */
export const uploadPartitions = 16;

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
  const sweepAt = toSweepTime(upload.expiresAt + uploadTransport.graceSeconds);
  const index = {
    gsi1pk: pickPartition(indexes.uploadsBySweep.pk, uploadPartitions),
    gsi1sk: `${sweepAt}#${id}`,
  };
  const Item = { ...keys.upload(id), ...index, file: upload.file, expires_at: upload.expiresAt };
  const note = transact([{ Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } }]);
  await settleAll([note, learnFilePartitions(upload.file)]);
  return upload;
}

/** A moment as the sweep's index orders it. */
export const toSweepTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

export const toUpload = (item: Item): Upload =>
  ({ file: item.file, expiresAt: item.expires_at, isComplete: item.is_complete === true }) as Upload;

/** Undefined where there is none, or none any more. */
export async function readUpload(id: string): Promise<Upload | undefined> {
  const item = await getItem(keys.upload(id));
  return item && toUpload(item);
}

/**
 * Records the file of an upload whose object is stored.
 *
 * @param isOver whether nobody can send anything to its key any more; else the sweep looks again
 * @throws ConditionError `[1]` where the file is recorded, `[0]` where the upload is gone or complete, `[2]`
 *   where its category is gone
 */
export async function completeUpload({ file }: Upload, isOver: boolean): Promise<void> {
  const Key = { ...keys.upload(file.id) };
  const open = 'attribute_exists(pk) AND attribute_not_exists(is_complete)';
  const close: Write = isOver
    ? { Delete: { Key, ConditionExpression: open } }
    : {
        Update: {
          Key,
          UpdateExpression: 'SET is_complete = :true',
          ConditionExpression: open,
          ExpressionAttributeValues: { ':true': true },
        },
      };
  await transact([close, ...addFile(file, await chooseFilePartitions(file))]);
}
