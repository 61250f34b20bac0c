import { largestStrippedBytes, toMegabytes } from '#shared/config/upload.ts';
import type { SettingsOf } from '#shared/settings/group.ts';
import { readSettings } from '#shared/settings/store.ts';
import { ObjectExistsError } from '#shared/storage/engine.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import { toCleanKey } from '#shared/storage/naming/object-path.ts';
import systemErrors from '../../errors.ts';
import type { StoredFile } from '../records/file-record.ts';
import { upload } from '../settings.ts';

/** Whether pictures lose their position. */
export type LocationRule = Pick<SettingsOf<typeof upload>, 'strip_location'>;

/** Routes prefetch it. */
export const readLocationRule = (): Promise<LocationRule> => readSettings(upload);

/** Extensions of pictures that may hold a position. */
const located: readonly string[] = ['jpg', 'jpeg', 'png', 'webp'];

/** A picture without its position; undefined if it has none. */
export async function withoutLocation(ext: string, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (!located.includes(ext)) return undefined;
  const { removeLocation } = await import('#shared/storage/location/remove-location.ts');
  return removeLocation(bytes);
}

/**
 * Looks for a position in a picture that its client has sent to the engine. A picture with one is replaced by an object at
 * another key, because a key is written once: {@link toCleanKey}. The caller deletes the first object. Idempotent.
 *
 * @returns the file as it is to be recorded
 * @throws AppError `upload.too_large` for a picture above 100 MB; `storage.*`
 */
export async function stripStoredLocation(
  engine: NamedEngine,
  file: StoredFile,
  { strip_location }: LocationRule,
): Promise<StoredFile> {
  const { ext, key, size, mime } = file;
  if (!located.includes(ext) || !strip_location) return file;
  if (size > largestStrippedBytes) {
    throw systemErrors.create('upload.too_large', { params: { limit: toMegabytes(largestStrippedBytes) } });
  }
  const bytes = await withoutLocation(ext, await engine.readRange(key, 0, size));
  if (!bytes) return file;
  const cleanKey = toCleanKey(key);
  try {
    await engine.put(cleanKey, bytes, mime);
  } catch (error) {
    // An earlier call has stored the same bytes.
    if (!(error instanceof ObjectExistsError)) throw error;
  }
  return { ...file, key: cleanKey, uri: engine.publicUrl(cleanKey), size: bytes.length };
}
