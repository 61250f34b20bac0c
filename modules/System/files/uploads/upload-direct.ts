import { environment } from '#shared/config/environment.ts';
import { type UploadExtension, uploadTransport } from '#shared/config/upload.ts';
import { findRow } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { checkDeclared, type DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import type { DirectTicket } from '#shared/storage/engine.ts';
import { type NamedEngine, openDefaultEngine, openEngine } from '#shared/storage/engines.ts';
import { encryptTicket } from '#shared/storage/ticket.ts';
import systemErrors from '../../errors.ts';
import { assertCategory, unfitCategory } from '../categories/category.ts';
import {
  type FileRecord,
  files,
  type StoredFile,
  toFileRecord,
  type Uploader,
} from '../records/file-record.ts';
import {
  beginUpload,
  completeUpload,
  describeUpload,
  type FileOrigin,
  findUpload,
  type Upload,
} from './upload-record.ts';
import type { UploadSettings } from './upload-rules.ts';

export interface StartedUpload extends DirectTicket {
  ticket: string;
  method: 'POST';
  expires_at: string;
}

/**
 * Begins the upload of a file that the client will send to the engine by itself.
 *
 * @throws AppError the errors of a form upload before its content checks; `storage.*`
 */
export async function startDirect(
  { type, name, sizeBytes, ...origin }: DeclaredUpload & FileOrigin,
  { limits, defaultEngine }: UploadSettings,
): Promise<StartedUpload> {
  const declared = { type, name, sizeBytes };
  const accepted = checkDeclared(declared, limits);
  await assertCategory(origin.cid, accepted.type);
  const engine = await openDefaultEngine(defaultEngine);
  const described = describeUpload(engine, accepted, declared, origin);
  const { file, expiresAt } = await beginUpload(described, uploadTransport.ticketSeconds);
  const ticket = encryptTicket(file.id);
  const { key, mime: contentType } = file;
  const direct = await engine.directTicket({
    key,
    contentType,
    sizeBytes,
    expiresAt,
    ticket,
    partUrl: `${environment().publicUrl}/api/system/upload/part`,
  });
  return { ticket, method: 'POST', ...direct, expires_at: new Date(expiresAt * 1000).toISOString() };
}

/**
 * Checks the bytes that a client has sent to the engine, and records the file. Deletes a refused file.
 * Idempotent.
 *
 * @throws AppError `upload.ticket_invalid`; `upload.incomplete` if the object is missing or does not have the
 *   declared size; those of the content checks
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
    // Another call has completed the upload meanwhile.
    if (error.failed.includes(0) || error.failed.includes(1)) return readRecorded(upload);
    await engine.delete(upload.file.key);
    // The category was deleted meanwhile.
    throw unfitCategory('body.cid', error);
  }
  return toFileRecord(upload.file);
}

async function readRecorded({ file }: Upload): Promise<FileRecord> {
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
    await checkContent({
      // It was accepted as one of the configured extensions.
      ext: file.ext as UploadExtension,
      sizeBytes: file.size,
      readRange: (start, end) => engine.readRange(file.key, start, end),
    });
  } catch (error) {
    // If reading failed, the file may still be good: the clean-up decides.
    if (error instanceof AppError && error.code.startsWith('upload.')) await engine.delete(file.key);
    throw error;
  }
}
