import { toMegabytes, uploadTransport } from '#shared/config/upload.ts';
import { findRow } from '#shared/db/entity.ts';
import { AppError, refuseTooLarge } from '#shared/errors/app-error.ts';
import { local } from '#shared/storage/engines/local/local.ts';
import systemErrors from '../../errors.ts';
import { files, type StoredFile } from '../records/file-record.ts';
import { findUpload } from './upload-record.ts';

async function findLocal(ticket: string): Promise<StoredFile> {
  const { file, isComplete } = await findUpload(ticket);
  // Other engines receive the file by themselves. A deleted file does not come back.
  const isOver = file.engine !== 'local' || (isComplete && !(await findRow(files, file)));
  if (isOver) throw systemErrors.create('upload.ticket_invalid');
  return file;
}

/** The bytes received so far. @throws AppError `upload.ticket_invalid` */
export async function readOffset(ticket: string): Promise<number> {
  const { key } = await findLocal(ticket);
  return (await local.open()).receivedBytes(key);
}

/**
 * Receives a part of a file for the engine `local`. Idempotent.
 *
 * @param offset where the part begins, in bytes
 * @returns the bytes received so far
 * @throws AppError `upload.ticket_invalid`; `upload.empty`; `request.too_large` above the size of a part;
 *   `upload.too_large` above the declared size; `upload.offset_conflict` with the expected offset
 */
export async function receivePart(ticket: string, offset: number, bytes: Uint8Array): Promise<number> {
  const { key, size } = await findLocal(ticket);
  if (bytes.length === 0) throw new AppError('upload.empty');
  if (bytes.length > uploadTransport.partSizeBytes) throw refuseTooLarge(uploadTransport.partSizeBytes);
  const engine = await local.open();
  if (offset + bytes.length > size) {
    const received = await engine.receivedBytes(key);
    if (offset !== received || received === size) throw conflict(received);
    throw new AppError('upload.too_large', { params: { limit: toMegabytes(size) } });
  }
  const outcome = await engine.receivePart(key, offset, bytes);
  if (outcome.isKept) return outcome.offset;
  throw conflict(outcome.expected);
}

function conflict(offset: number): AppError {
  const expected = String(offset);
  return systemErrors.create('upload.offset_conflict', {
    params: { offset: expected },
    errors: [{ path: 'body.offset', message: expected }],
  });
}
