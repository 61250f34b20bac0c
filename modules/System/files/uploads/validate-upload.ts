import { type UploadType, uploadConfig } from '#shared/config/upload.ts';
import { checkDeclared, type DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import { assertDefaultEngine } from '#shared/storage/engines.ts';
import { formLimitBytes } from './form-limit.ts';
import type { UploadSettings } from './upload-settings.ts';

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
  // A file that would be accepted has to have somewhere to go.
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
