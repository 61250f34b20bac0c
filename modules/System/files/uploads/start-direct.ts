import { environment } from '#shared/config/environment.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { checkDeclared, type DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import type { DirectTicket } from '#shared/storage/engine.ts';
import { openDefaultEngine } from '#shared/storage/engines.ts';
import { sealTicket } from '#shared/storage/ticket.ts';
import { assertCategory } from '../categories/category.ts';
import type { Uploader } from '../records/file-record.ts';
import { describeUpload, type FilePlace } from './accept-file.ts';
import { beginUpload } from './upload-record.ts';
import { readUploadSettings, type UploadSettings } from './upload-settings.ts';

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
 * @param settings read already, as a route prefetches them; by default they are read here
 * @throws AppError as a form upload for what is refused before any byte is seen; `storage.*`
 */
export async function startDirect(
  { uploader, type, name, sizeBytes, ...place }: DirectStart,
  settings?: UploadSettings,
): Promise<StartedUpload> {
  const { limits, defaultEngine } = settings ?? (await readUploadSettings());
  const declared = { type, name, sizeBytes };
  const accepted = checkDeclared(declared, limits);
  await assertCategory(place.cid, accepted.type);
  const engine = await openDefaultEngine(defaultEngine);
  const described = describeUpload(engine, accepted, declared, place, uploader);
  const { file, expiresAt } = await beginUpload(described, uploadTransport.ticketSeconds);
  const ticket = sealTicket(file.id);
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
