import type * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import { type UploadLimits, uploadConfig, uploadTransport } from '#shared/config/upload.ts';
import { readSettings } from '#shared/settings/store.ts';
import { checkDeclared, type DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import { assertDefaultEngine } from '#shared/storage/engines.ts';
import { storage } from '#shared/storage/settings.ts';
import { upload } from '../settings.ts';
import type { validateData } from './schema.ts';

export type UploadSettings = Awaited<ReturnType<typeof readUploadSettings>>;

/** Reads the operator's limits, else the static ones, and the setting `storage.default`. Routes prefetch it. */
export async function readUploadSettings() {
  const [{ image_max_size, video_max_size, file_max_size }, chosen] = await settleAll([
    readSettings(upload),
    readSettings(storage),
  ]);
  const limits: UploadLimits = {
    image: image_max_size || uploadConfig.image.maxSizeBytes,
    video: video_max_size || uploadConfig.video.maxSizeBytes,
    file: file_max_size || uploadConfig.file.maxSizeBytes,
  };
  return { limits, defaultEngine: chosen.default };
}

export const formLimitBytes = (): number =>
  uploadTransport.formLimitBytes[environment().isDeployed ? 'deployed' : 'local'];

/**
 * The rules for a file, and the way to upload it.
 *
 * @throws AppError the error that the upload itself would give
 */
export async function validateUpload(
  declared: DeclaredUpload,
  { limits, defaultEngine }: UploadSettings,
): Promise<z.infer<typeof validateData>> {
  const { type, ext } = checkDeclared(declared, limits);
  await assertDefaultEngine(defaultEngine);
  const form_limit = formLimitBytes();
  return {
    allowed: true,
    type,
    ext,
    max_size: limits[type],
    extensions: [...uploadConfig[type].extensions],
    mode: declared.sizeBytes > form_limit ? 'direct' : 'form',
    form_limit,
  };
}
