import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import {
  largestStrippedBytes,
  toMegabytes,
  type UploadExtension,
  type UploadLimits,
  uploadConfig,
  uploadTransport,
  uploadTypes,
} from '#shared/config/upload.ts';
import { refuseTooLarge } from '#shared/errors/app-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import { assertDefaultEngine } from '#shared/storage/engines.ts';
import type { Visibility } from '#shared/storage/naming/object-path.ts';
import systemErrors from '../../errors.ts';
import { guestConfig, storage, upload } from '../settings.ts';
import {
  assertBytesLeft,
  assertGuestAllowed,
  type GuestRules,
  readSpentBytes,
  toGuestShare,
} from './guest-budget.ts';

export type UploadSettings = Awaited<ReturnType<typeof readUploadSettings>>;

/** Reads the operator's limits, else the static ones, and the setting `storage.default`. Routes prefetch it. */
export async function readUploadSettings() {
  const [own, chosen] = await settleAll([readSettings(upload), readSettings(storage)]);
  const { image_max_size, video_max_size, file_max_size } = own;
  const limits: UploadLimits = {
    image: Math.min(
      image_max_size || uploadConfig.image.maxSizeBytes,
      own.strip_location ? largestStrippedBytes : Number.POSITIVE_INFINITY,
    ),
    video: video_max_size || uploadConfig.video.maxSizeBytes,
    file: file_max_size || uploadConfig.file.maxSizeBytes,
  };
  const guests: GuestRules = {
    allowed: own.guests,
    addressBytes: own.guest_daily_size || guestConfig.addressBytes,
    siteBytes: own.guest_site_daily_size || guestConfig.siteBytes,
  };
  return { limits, guests, defaultEngine: chosen.default, stripsLocation: own.strip_location };
}

export const formLimitBytes = (): number =>
  uploadTransport.formLimitBytes[environment().isDeployed ? 'deployed' : 'local'];

/** What a client states about a file before it sends bytes. */
export interface DeclaredUpload {
  type: string;
  /** The client's file name; may be anything. */
  name: string;
  sizeBytes: number;
  /** @default 'public' */
  visibility?: Visibility;
}

export type AcceptedUpload = ReturnType<typeof checkDeclared>;

/**
 * Checks type, extension and size, at most `limits` (specification, "Processing steps for an upload", 1 and 2). The
 * extension is the text after the last dot in any case, not trimmed: a space at its end makes it another one.
 *
 * @throws AppError `upload.type_unknown`, `upload.extension_not_allowed`, `upload.empty`, `upload.too_large`
 */
export function checkDeclared({ type: typeName, name, sizeBytes }: DeclaredUpload, limits: UploadLimits) {
  const type = uploadTypes.find((known) => known === typeName);
  if (!type) throw systemErrors.create('upload.type_unknown', { params: { types: uploadTypes.join(', ') } });
  const { extensions }: { extensions: readonly UploadExtension[] } = uploadConfig[type];
  const given = name.includes('.') && name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const ext = extensions.find((known) => known === given);
  if (!ext) {
    throw systemErrors.create('upload.extension_not_allowed', {
      params: { extensions: extensions.join(', ') },
    });
  }
  // Also refuses NaN.
  if (!(sizeBytes >= 1)) throw systemErrors.create('upload.empty');
  if (!(sizeBytes <= limits[type])) {
    throw systemErrors.create('upload.too_large', { params: { limit: toMegabytes(limits[type]) } });
  }
  return { type, ext };
}

export const validateData = z.strictObject({
  allowed: z.literal(true),
  type: z.enum(uploadTypes),
  ext: z.string(),
  max_size: z.int(),
  extensions: z.array(z.string()),
  mode: z.enum(['form', 'direct']),
  form_limit: z.int(),
});

/**
 * The rules for a file, and the way to upload it.
 *
 * @param guestAddress of a guest; undefined for a user
 * @throws AppError the error that the upload itself would give
 */
export async function validateUpload(
  declared: DeclaredUpload,
  { limits, guests, defaultEngine }: UploadSettings,
  guestAddress?: string,
  readSpent = readSpentBytes,
): Promise<z.infer<typeof validateData>> {
  const { type, ext } = checkDeclared(declared, limits);
  const form_limit = formLimitBytes();
  if (guestAddress !== undefined) {
    assertGuestAllowed(type, guests);
    if (declared.sizeBytes > form_limit) throw refuseTooLarge(form_limit, 'rule.form_too_large');
    assertBytesLeft(await readSpent(toGuestShare(guestAddress)), declared.sizeBytes, guests);
  }
  await assertDefaultEngine(defaultEngine, declared.visibility ?? 'public');
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
