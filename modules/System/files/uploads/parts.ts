import { toMegabytes, uploadTransport } from '#shared/config/upload.ts';
import { findRow } from '#shared/db/entity.ts';
import { type AppError, refuseTooLarge } from '#shared/errors/app-error.ts';
import type { PartReceiver } from '#shared/storage/engine.ts';
import { openEngine, receivingEngines } from '#shared/storage/engines.ts';
import systemErrors from '../../errors.ts';
import { files, type StoredFile } from '../records/file-record.ts';
import { findUpload } from './upload-record.ts';

async function openReceiver(ticket: string): Promise<{ file: StoredFile; parts: PartReceiver }> {
  const { file, is_complete } = await findUpload(ticket);
  // A deleted file does not come back.
  const isOver = !receivingEngines.includes(file.engine) || (is_complete && !(await findRow(files, file)));
  const parts = isOver ? undefined : (await openEngine(file.engine)).parts;
  if (!parts) throw systemErrors.create('upload.ticket_invalid');
  return { file, parts };
}

/** The bytes received so far. @throws AppError `upload.ticket_invalid` */
export async function readOffset(ticket: string): Promise<number> {
  const { file, parts } = await openReceiver(ticket);
  return parts.receivedBytes(file.key);
}

/**
 * Receives a part of a file whose engine receives parts. Idempotent. Returns the bytes received so far.
 *
 * @param offset where the part begins, in bytes
 * @throws AppError `upload.ticket_invalid`; `upload.empty`; `request.too_large` above the size of a part;
 *   `upload.too_large` above the declared size; `upload.offset_conflict` with the expected offset
 */
export async function receivePart(ticket: string, offset: number, bytes: Uint8Array): Promise<number> {
  const { file, parts } = await openReceiver(ticket);
  const { key, size } = file;
  if (bytes.length === 0) throw systemErrors.create('upload.empty');
  if (bytes.length > uploadTransport.partSizeBytes) throw refuseTooLarge(uploadTransport.partSizeBytes);
  if (offset + bytes.length > size) {
    const received = await parts.receivedBytes(key);
    if (offset !== received || received === size) throw conflict(received);
    throw systemErrors.create('upload.too_large', { params: { limit: toMegabytes(size) } });
  }
  const outcome = await parts.receivePart(key, offset, bytes);
  if (!outcome.isKept) throw conflict(outcome.offset);
  return outcome.offset;
}

function conflict(offset: number): AppError {
  const expected = String(offset);
  return systemErrors.create('upload.offset_conflict', {
    params: { offset: expected },
    errors: [{ path: 'body.offset', message: expected }],
  });
}
