import { settleAll } from '#shared/async/settle-all.ts';
import { type UploadLimits, uploadLimits } from '#shared/config/upload.ts';
import { readSettings } from '#shared/settings/store.ts';
import { storage } from '#shared/storage/settings.ts';
import { upload } from '../settings.ts';

/** What an upload is held against, as the operator has it now. */
export interface UploadSettings {
  /** Most bytes of each type: the operator's, else the static configuration's. */
  limits: UploadLimits;
  /** The setting `storage.default`; empty where it is not set. */
  defaultEngine: string;
}

/** Reads both groups at once, from the cache; for a route to prefetch. */
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
