import { toPublicUrl } from '#shared/media/media-url.ts';
import { openEngine } from '#shared/storage/engines.ts';
import { signLink } from '#shared/storage/private-files.ts';
import type { StoredFile } from '../records/file-record.ts';

/** How long a link to a private file is valid. */
export const linkMinutes = 15;

/**
 * The full URL of a file. That of a private file is signed and expires.
 *
 * @throws AppError `storage.*`
 */
export async function signFileUrl({
  key,
  name,
  engine,
  uri,
}: StoredFile): Promise<{ url: string; expires_at: string | null }> {
  if (uri !== null) return { url: toPublicUrl(uri), expires_at: null };
  const expiresAt = Math.floor(Date.now() / 1000) + linkMinutes * 60;
  const url = await signLink(await openEngine(engine), key, { expiresAt, name });
  return { url, expires_at: new Date(expiresAt * 1000).toISOString() };
}
