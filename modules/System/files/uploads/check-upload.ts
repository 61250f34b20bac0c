import { checkContent } from '#shared/storage/checks/check-content.ts';
import { ContentFault, type ContentSource } from '#shared/storage/checks/content.ts';
import systemErrors from '../../errors.ts';

/**
 * Checks that the bytes of an upload match its extension, as {@link checkContent}.
 *
 * @throws AppError `upload.empty`, `upload.content_mismatch`, `upload.active_content`, `upload.too_large`; and errors of
 *   reading
 */
export async function checkUpload(source: ContentSource): Promise<void> {
  try {
    await checkContent(source);
  } catch (cause) {
    if (!(cause instanceof ContentFault)) throw cause;
    throw systemErrors.create(`upload.${cause.fault}`, { params: cause.params, cause });
  }
}
