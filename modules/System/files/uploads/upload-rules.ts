import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import {
  type UploadLimits,
  type UploadType,
  uploadConfig,
  uploadLimits,
  uploadTransport,
} from '#shared/config/upload.ts';
import { readSettings } from '#shared/settings/store.ts';
import { checkDeclared, type DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import { assertDefaultEngine } from '#shared/storage/engines.ts';
import { storage } from '#shared/storage/settings.ts';
import { upload } from '../settings.ts';

/** What uploads are checked against: the operator's settings, else the static configuration. */
export interface UploadSettings {
  /** Most bytes of each type. */
  limits: UploadLimits;
  /** The setting `storage.default`; empty if not set. */
  defaultEngine: string;
}

/** Reads both groups at once, from the cache. Routes prefetch it. */
export async function readUploadSettings(): Promise<UploadSettings> {
  const [{ image_max_size, video_max_size, file_max_size }, chosen] = await settleAll([
    readSettings(upload),
    readSettings(storage),
  ]);
  const limits = {
    image: image_max_size || uploadLimits.image,
    video: video_max_size || uploadLimits.video,
    file: file_max_size || uploadLimits.file,
  };
  return { limits, defaultEngine: chosen.default };
}

/** Most file bytes that a form upload takes here. */
export const formLimitBytes = (): number =>
  uploadTransport.formLimitBytes[environment().isDeployed ? 'deployed' : 'local'];

/** What a file would be taken as, and the rules of its type. */
export interface UploadRules {
  allowed: true;
  type: UploadType;
  ext: string;
  max_size: number;
  extensions: string[];
  /** The way that takes a file of this size. */
  mode: 'form' | 'direct';
  form_limit: number;
}

/** @throws AppError that the upload itself would give */
export async function validateUpload(
  declared: DeclaredUpload,
  { limits, defaultEngine }: UploadSettings,
): Promise<UploadRules> {
  const { type, ext } = checkDeclared(declared, limits);
  // An accepted file needs an engine that takes it.
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
