import type { UploadExtension } from '#shared/config/upload.ts';
import { findRow } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { headBytes } from '#shared/storage/checks/content-source.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { openEngine } from '#shared/storage/engines.ts';
import systemErrors from '../../errors.ts';
import {
  type FileRecord,
  files,
  type StoredFile,
  toFileRecord,
  type Uploader,
} from '../records/file-record.ts';
import { findUpload } from './find-upload.ts';
import { completeUpload, type Upload } from './upload-record.ts';

/**
 * Records a file that a client has sent to its engine, once the stored bytes are checked. May be repeated: the
 * answer is the same.
 *
 * @throws AppError `upload.ticket_invalid`; `upload.incomplete` while the object is not there, or when it is of
 *   another size than declared; `upload.content_mismatch` and others of the content checks. What does not fit
 *   is deleted
 */
export async function completeDirect(ticket: string, caller: Uploader): Promise<FileRecord> {
  const upload = await findUpload(ticket, caller);
  if (upload.isComplete) return readRecorded(upload);
  const engine = await openEngine(upload.file.engine);
  await checkStored(engine, upload.file);
  try {
    await completeUpload(upload, false);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    // Another call has completed it meanwhile; or its category is gone.
    if (error.failed.includes(0) || error.failed.includes(1)) return readRecorded(upload);
    await engine.delete(upload.file.key);
    throw new AppError('request.invalid', {
      cause: error,
      errors: [{ path: 'body.cid', message: 'rule.category' }],
    });
  }
  return toFileRecord(upload.file);
}

async function readRecorded({ file }: Upload): Promise<FileRecord> {
  const recorded = await findRow(files, file);
  if (!recorded) throw systemErrors.create('upload.ticket_invalid', { cause: 'its file is deleted' });
  return toFileRecord(recorded);
}

async function checkStored(engine: StorageEngine, file: StoredFile): Promise<void> {
  const stored = await engine.settle(file.key, file.size);
  if (!stored) throw systemErrors.create('upload.incomplete');
  try {
    if (stored.sizeBytes !== file.size)
      throw systemErrors.create('upload.incomplete', { cause: 'another size' });
    await checkBytes(engine, file);
  } catch (error) {
    // What could not be read may yet be well; the sweep sees to it.
    if (error instanceof AppError && error.code.startsWith('upload.')) await engine.delete(file.key);
    throw error;
  }
}

async function checkBytes(engine: StorageEngine, { key, ext, size }: StoredFile): Promise<void> {
  await checkContent({
    // One of the configured extensions when it was accepted.
    ext: ext as UploadExtension,
    head: await engine.readRange(key, 0, Math.min(headBytes, size)),
    sizeBytes: size,
    readAll: () => engine.readRange(key, 0, size),
    readRange: (start, end) => engine.readRange(key, start, end),
  });
}
