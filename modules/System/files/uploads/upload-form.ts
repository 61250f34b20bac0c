import * as z from 'zod/mini';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError, refuseTooLarge } from '#shared/errors/app-error.ts';
import { form } from '#shared/http/body/form.ts';
import { log } from '#shared/log/log.ts';
import { type ReceivedFile, receivedFile } from '#shared/schema/received-file.ts';
import { titled } from '#shared/schema/titled.ts';
import { ObjectExistsError, unavailable } from '#shared/storage/engine.ts';
import { openEngine } from '#shared/storage/engines.ts';
import * as samples from '../../samples.ts';
import { wrongCategory } from '../categories.ts';
import { type FileRecord, fileData, toFileRecord } from '../records/file-record.ts';
import { checkUpload } from './check-upload.ts';
import { assertGuestAllowed, toGuestShare } from './guest-budget.ts';
import {
  contentErrors,
  declaredType,
  heavy,
  labels,
  startErrors,
  toSender,
  type UploadContext,
} from './schema.ts';
import { withoutLocation } from './strip-location.ts';
import { completeUpload, type FileOrigin, returnShare, startUpload, type Upload } from './upload-record.ts';
import { checkDeclared, formLimitBytes, readUploadSettings, type UploadSettings } from './upload-rules.ts';

const writeSeconds = 60;
/** The first call may have timed out: it and the roll-back have to fit into 29 seconds. */
const rollBackMs = 8_000;

const fileForm = z.object({
  type: declaredType,
  file: titled({ zh_CN: '文件', en: 'File' }, receivedFile),
  ...labels,
});

/** Common to the routes `upload/file` of administrators and users. */
export const fileRoute = {
  summary: { zh_CN: '上传文件', en: 'Upload a file in a form' },
  parser: form,
  body: fileForm,
  data: fileData,
  storage: true,
  limits: heavy,
  errors: [...startErrors, ...contentErrors, 'request.too_large'],
  reference: { example: samples.uploadForm },
  prefetch: readUploadSettings,
  handler: (context: UploadContext<z.output<typeof fileForm>, UploadSettings>) =>
    uploadForm({ ...context.body, ...toSender(context) }, context.prefetched),
};

/**
 * Stores a file from a form: the seven steps of the specification in their order. A picture loses its position before the
 * fourth, if the setting `upload.strip_location` says so. If it throws, no object and no
 * record is left; the clean-up removes an object that cannot be removed at once.
 *
 * @param guestAddress address of a guest, whose bytes are counted; null for all others, and for example data
 * @throws AppError `upload.*`; `request.too_large` above the limit of a form; `request.invalid` for an unknown
 *   category; `storage.*`
 */
export async function uploadForm(
  {
    type,
    file: { bytes: given, name },
    guestAddress,
    ...origin
  }: FileOrigin & { type: string; file: ReceivedFile; guestAddress: string | null },
  { limits, defaultEngine, guests, stripsLocation }: UploadSettings,
): Promise<FileRecord> {
  const declared = { name, sizeBytes: given.length };
  const accepted = checkDeclared({ type, ...declared }, limits);
  if (guestAddress !== null) assertGuestAllowed(accepted.type, guests);
  if (given.length > formLimitBytes()) throw refuseTooLarge(formLimitBytes(), 'rule.form_too_large');
  const readRange = async (start: number, end: number) => given.subarray(start, end);
  await checkUpload({ ext: accepted.ext, sizeBytes: given.length, readRange });
  const bytes = (stripsLocation && (await withoutLocation(accepted.ext, given))) || given;
  const described = { ...origin, ...declared, ...accepted, sizeBytes: bytes.length };
  const guest = guestAddress === null ? undefined : { share: toGuestShare(guestAddress), rules: guests };
  const upload = await startUpload(described, defaultEngine, writeSeconds, guest);
  const { engine, file } = upload;
  try {
    await engine.put(file.key, bytes, file.mime);
    await completeUpload(upload, true);
  } catch (error) {
    // If the database did not answer, the record may exist: the clean-up decides.
    const isUnsure = error instanceof AppError && error.code.startsWith('database.');
    if (!isUnsure) await rollBack(upload);
    // The category was deleted meanwhile.
    if (error instanceof ConditionError) throw wrongCategory('body.cid', error);
    // Keys are unique: the object is a leftover of the engine's own retry.
    throw error instanceof ObjectExistsError ? unavailable(error) : error;
  }
  return toFileRecord(file);
}

async function rollBack(upload: Upload): Promise<void> {
  const { engine, key } = upload.file;
  try {
    await (await openEngine(engine, { timeoutMs: rollBackMs })).delete(key);
    await returnShare(upload);
  } catch (error) {
    log.warn('upload.left_to_clean_up', { engine, key, error });
  }
}
