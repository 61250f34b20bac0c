import { uploadTransport } from '#shared/config/upload.ts';
import type { DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import type { DirectTicket } from '#shared/storage/engine.ts';
import { assertCategory } from '../categories/assert-category.ts';
import { openDefaultEngine } from '../engines/open-engine.ts';
import type { Uploader } from '../records/file-record.ts';
import { acceptDeclared, describeUpload, type FilePlace } from './accept-file.ts';
import { sealTicket } from './ticket.ts';
import { beginUpload } from './upload-record.ts';

/** A file that a client is going to send to the engine by itself. */
export interface DirectStart extends DeclaredUpload, FilePlace {
  uploader: Uploader;
}

/** What the client needs for it. */
export interface StartedUpload extends DirectTicket {
  ticket: string;
  method: 'POST';
  expires_at: string;
}

/**
 * Begins a direct upload.
 *
 * @throws AppError as a form upload for what is refused before any byte is seen; `storage.*`
 */
export async function startDirect({
  uploader,
  type,
  name,
  sizeBytes,
  ...place
}: DirectStart): Promise<StartedUpload> {
  const declared = { type, name, sizeBytes };
  const accepted = await acceptDeclared(declared);
  await assertCategory(place.cid, accepted.type);
  const engine = await openDefaultEngine();
  const described = describeUpload(engine, accepted, declared, place, uploader);
  const { file, expiresAt } = await beginUpload(described, uploadTransport.ticketSeconds);
  const ticket = sealTicket(file.id);
  const { key, mime: contentType } = file;
  const direct = await engine.directTicket({ key, contentType, sizeBytes, expiresAt, ticket });
  return { ticket, method: 'POST', ...direct, expires_at: new Date(expiresAt * 1000).toISOString() };
}
