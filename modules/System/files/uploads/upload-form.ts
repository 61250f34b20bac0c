import { ConditionError } from '#shared/db/errors.ts';
import { AppError, refuseTooLarge } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { ReceivedFile } from '#shared/schema/received-file.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { checkDeclared } from '#shared/storage/checks/check-declared.ts';
import { ObjectExistsError, unavailable } from '#shared/storage/engine.ts';
import { type EngineName, type NamedEngine, openDefaultEngine, openEngine } from '#shared/storage/engines.ts';
import { assertCategory, unfitCategory } from '../categories/category.ts';
import { type FileRecord, toFileRecord } from '../records/file-record.ts';
import {
  beginUpload,
  completeUpload,
  describeUpload,
  type FileOrigin,
  type Upload,
} from './upload-record.ts';
import { formLimitBytes, type UploadSettings } from './upload-rules.ts';

export interface FormUpload extends FileOrigin {
  type: string;
  file: ReceivedFile;
}

const writeSeconds = 60;
/** The first call may have timed out: it and the roll-back have to fit into 29 seconds. */
const rollBackMs = 8_000;

/**
 * Stores a file from a form: the seven steps of the specification in their order.
 *
 * @throws AppError `upload.*` for a refused file; `request.too_large` above the limit of a form;
 *   `request.invalid` for an unknown category; `storage.*` if the engine fails. Then no object and no record is
 *   left: the clean-up removes an object that cannot be removed at once.
 */
export async function uploadForm(
  { type, file: { bytes, name }, ...origin }: FormUpload,
  { limits, defaultEngine }: UploadSettings,
): Promise<FileRecord> {
  const declared = { type, name, sizeBytes: bytes.length };
  const accepted = checkDeclared(declared, limits);
  if (bytes.length > formLimitBytes()) throw refuseTooLarge(formLimitBytes(), 'rule.form_too_large');
  await checkContent({
    ext: accepted.ext,
    sizeBytes: bytes.length,
    readRange: async (start, end) => bytes.subarray(start, end),
  });
  await assertCategory(origin.cid, accepted.type);
  const engine = await openDefaultEngine(defaultEngine);
  const upload = await beginUpload(describeUpload(engine, accepted, declared, origin), writeSeconds);
  await store(engine, upload, bytes);
  return toFileRecord(upload.file);
}

async function store(engine: NamedEngine, upload: Upload, bytes: Uint8Array): Promise<void> {
  const { key, mime } = upload.file;
  try {
    await engine.put(key, bytes, mime);
    await completeUpload(upload, true);
  } catch (error) {
    // If the database did not answer, the record may exist: the clean-up decides.
    const isUnsure = error instanceof AppError && error.code.startsWith('database.');
    if (!isUnsure) await rollBack(engine.name, key);
    // The category was deleted meanwhile.
    if (error instanceof ConditionError) throw unfitCategory('body.cid', error);
    // Keys are unique: the object is a leftover of the engine's own retry.
    throw error instanceof ObjectExistsError ? unavailable(error) : error;
  }
}

async function rollBack(engine: EngineName, key: string): Promise<void> {
  try {
    await (await openEngine(engine, { timeoutMs: rollBackMs })).delete(key);
  } catch (error) {
    log.warn('upload.left_to_clean_up', { engine, key, error });
  }
}
