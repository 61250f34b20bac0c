import { findRow } from '#shared/db/entity.ts';
import { openTicket } from '#shared/storage/ticket.ts';
import systemErrors from '../../errors.ts';
import type { Uploader } from '../records/file-record.ts';
import { type Upload, uploads } from './upload-record.ts';

/**
 * The upload of a ticket.
 *
 * @param caller who has to be the one it was given to; a guest's is anybody's who has it. Not asked where the
 *   ticket itself authorises
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
