import * as z from 'zod/mini';
import type { UploadExtension } from '#shared/config/upload.ts';
import { findRow } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { type NamedEngine, openEngine } from '#shared/storage/engines.ts';
import systemErrors from '../../errors.ts';
import { wrongCategory } from '../categories.ts';
import { deleteObjects } from '../manager/delete-objects.ts';
import {
  type FileRecord,
  fileData,
  files,
  type StoredFile,
  toFileRecord,
  type Uploader,
} from '../records/file-record.ts';
import { checkUpload } from './check-upload.ts';
import { contentErrors, heavy, storageErrors, ticket, toUploader, type UploadContext } from './schema.ts';
import { type LocationRule, readLocationRule, stripStoredLocation } from './strip-location.ts';
import { completeUpload, findUpload } from './upload-record.ts';

// Apart from the begin of an upload, whose functions check no content.

const completeBody = z.strictObject({ ticket });

/** Common to the routes `upload/complete` of administrators and users. */
export const completeRoute = {
  summary: { zh_CN: '完成直传', en: 'Complete a direct upload' },
  body: completeBody,
  data: fileData,
  storage: true,
  limits: heavy,
  // Drawings above the size that can be checked are too large.
  errors: [
    'upload.ticket_invalid',
    'upload.incomplete',
    'upload.too_large',
    ...contentErrors,
    ...storageErrors,
  ],
  reference: {
    description: {
      zh_CN: '检查已上传的内容并登记文件。',
      en: 'Checks the uploaded content and registers the file.',
    },
  },
  prefetch: readLocationRule,
  handler: (context: UploadContext<z.output<typeof completeBody>, LocationRule>) =>
    completeDirect(context.body.ticket, toUploader(context), context.prefetched),
};

/**
 * Checks the bytes that a client has sent to the engine, takes the position out of a picture, and records the file. Deletes
 * a refused file. Idempotent.
 *
 * @throws AppError `upload.ticket_invalid`; `upload.incomplete` if the object is missing or does not have the
 *   declared size; those of the content checks
 */
export async function completeDirect(
  ticket: string,
  caller: Uploader,
  rule: LocationRule,
): Promise<FileRecord> {
  const upload = await findUpload(ticket, caller);
  const { file } = upload;
  if (upload.is_complete) return readRecorded(file);
  const engine = await openEngine(file.engine);
  let kept: StoredFile;
  try {
    await checkStored(engine, file);
    kept = await stripStoredLocation(engine, file, rule);
  } catch (error) {
    // Another call may have replaced the object meanwhile.
    if ((await findUpload(ticket, caller)).is_complete) return readRecorded(file);
    throw error;
  }
  try {
    await completeUpload({ ...upload, file: kept }, false);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    // Another call has completed the upload meanwhile.
    if (error.failed.includes(0) || error.failed.includes(1)) return readRecorded(file);
    await deleteBoth(engine, file, kept);
    // The category was deleted meanwhile.
    throw wrongCategory('body.cid', error);
  }
  // If this fails, the clean-up does it.
  if (kept.key !== file.key)
    await deleteObjects(engine, file.key).catch((error: unknown) => warn(file, error));
  return toFileRecord(kept);
}

const warn = ({ engine, key }: StoredFile, error: unknown) =>
  log.warn('upload.left_to_clean_up', { engine, key, error });

async function deleteBoth(engine: NamedEngine, file: StoredFile, kept: StoredFile): Promise<void> {
  await deleteObjects(engine, file.key);
  if (kept.key !== file.key) await deleteObjects(engine, kept.key);
}

async function readRecorded(file: StoredFile): Promise<FileRecord> {
  const recorded = await findRow(files, file);
  if (!recorded) throw systemErrors.create('upload.ticket_invalid', { cause: 'its file is deleted' });
  return toFileRecord(recorded);
}

async function checkStored(engine: NamedEngine, file: StoredFile): Promise<void> {
  const stored = await engine.finalise(file.key, file.size);
  if (!stored) throw systemErrors.create('upload.incomplete');
  try {
    if (stored.sizeBytes !== file.size) {
      throw systemErrors.create('upload.incomplete', { cause: 'another size' });
    }
    await checkUpload({
      // It was accepted as one of the configured extensions.
      ext: file.ext as UploadExtension,
      sizeBytes: file.size,
      readRange: (start, end) => engine.readRange(file.key, start, end),
    });
  } catch (error) {
    // If reading failed, the file may still be good: the clean-up decides.
    if (error instanceof AppError && error.code.startsWith('upload.')) await deleteObjects(engine, file.key);
    throw error;
  }
}
