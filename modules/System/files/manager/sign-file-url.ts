import { toPublicUrl } from '#shared/media/media-url.ts';
import { signLink as signOwnLink } from '#shared/storage/engines/local/signed-link.ts';
import { openEngine } from '#shared/storage/engines.ts';
import { listVariants, toVariantPath, toVariantQuery } from '#shared/storage/naming/variant-link.ts';
import { hasVariants, type VariantSize } from '#shared/storage/naming/variant-path.ts';
import { signLink } from '#shared/storage/private-files.ts';
import systemErrors from '../../errors.ts';
import type { StoredFile } from '../records/file-record.ts';

/** How long a link to a private file is valid. */
export const linkMinutes = 15;

/**
 * The full URL of a file, or of a variant of it. That of a private file is signed and expires.
 *
 * @throws AppError `storage.*`; `file.no_variants` if the file has none
 */
export async function signFileUrl(
  file: StoredFile,
  size?: VariantSize,
): Promise<{ url: string; expires_at: string | null }> {
  const { key, name, engine, uri } = file;
  if (size && !hasVariants(key)) throw systemErrors.create('file.no_variants');
  if (uri !== null) {
    return { url: toPublicUrl((size && listVariants(file)?.[size]) ?? uri), expires_at: null };
  }
  const expiresAt = Math.floor(Date.now() / 1000) + linkMinutes * 60;
  const query = size && toVariantQuery(engine, size);
  const link = { expiresAt, name, ...(query && { query }) };
  const url =
    size && !query
      ? signOwnLink(toVariantPath(engine, key, size), { ...link, name: name.replace(/\.\w+$/, '.webp') })
      : await signLink(await openEngine(engine), key, link);
  return { url, expires_at: new Date(expiresAt * 1000).toISOString() };
}
