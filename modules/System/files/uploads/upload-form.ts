import type { UploadExtension } from '#shared/config/upload.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError, refuseTooLarge } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { ReceivedFile } from '#shared/schema/received-file.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { checkDeclared } from '#shared/storage/checks/check-declared.ts';
import { headBytes } from '#shared/storage/checks/content.ts';
import { ObjectExistsError, unavailable } from '#shared/storage/engine.ts';
import { type EngineName, type NamedEngine, openDefaultEngine, openEngine } from '#shared/storage/engines.ts';
import { assertCategory, unfitCategory } from '../categories/category.ts';
import { type FileRecord, toFileRecord, type Uploader } from '../records/file-record.ts';
import { beginUpload, completeUpload, describeUpload, type FilePlace, type Upload } from './upload-record.ts';
import { formLimitBytes, readUploadSettings, type UploadSettings } from './upload-rules.ts';

/** A file that came in a form. */
export interface FormUpload extends FilePlace {
  type: string;
  file: ReceivedFile;
  uploader: Uploader;
}

/** How long the writing of a received file may take, in seconds. */
const writeSeconds = 60;
/** How long to wait for an engine that may just have hung: both waits have to fit into 29 seconds. */
const rollBackMs = 8_000;

/**
 * Takes a file from a form: the seven steps of the specification in their order.
 *
 * @param settings the prefetched settings; read here by default
 * @throws AppError `upload.*` for a file that is refused; `request.too_large` above what a form may hold;
 *   `request.invalid` for an unknown category; `storage.*` if the engine fails. No object and no record is left
 *   then: the sweep removes what cannot be rolled back at once.
 */
export async function uploadForm(
  { type, file, uploader, ...place }: FormUpload,
  settings?: UploadSettings,
): Promise<FileRecord> {
  const { limits, defaultEngine } = settings ?? (await readUploadSettings());
  const { bytes, name } = file;
  const declared = { type, name, sizeBytes: bytes.length };
  const accepted = checkDeclared(declared, limits);
  if (bytes.length > formLimitBytes()) throw refuseTooLarge(formLimitBytes(), 'rule.form_too_large');
  await checkBytes(accepted.ext, bytes);
  await assertCategory(place.cid, accepted.type);
  const engine = await openDefaultEngine(defaultEngine);
  const upload = await beginUpload(describeUpload(engine, accepted, declared, place, uploader), writeSeconds);
  await store(engine, upload, bytes);
  return toFileRecord(upload.file);
}

function checkBytes(ext: UploadExtension, bytes: Uint8Array): Promise<void> {
  return checkContent({
    ext,
    head: bytes.subarray(0, headBytes),
    sizeBytes: bytes.length,
    readAll: async () => bytes,
    readRange: async (start, end) => bytes.subarray(start, end),
  });
}

async function store(engine: NamedEngine, upload: Upload, bytes: Uint8Array): Promise<void> {
  const { key, mime } = upload.file;
  try {
    await engine.put(key, bytes, mime);
    await completeUpload(upload, true);
  } catch (error) {
    // If the database did not answer, the record may exist: only the sweep can tell then.
    const isRefused = error instanceof ConditionError;
    if (isRefused || isStorageFailure(error)) await rollBack(engine.name, key);
    // The category existed a moment ago.
    if (isRefused) throw unfitCategory('body.cid', error);
    // Keys are never made twice: the object is a leftover of the engine's own retry.
    throw error instanceof ObjectExistsError ? unavailable(error) : error;
  }
}

const isStorageFailure = (error: unknown): boolean =>
  !(error instanceof AppError && error.code.startsWith('database.'));

async function rollBack(engine: EngineName, key: string): Promise<void> {
  try {
    await (await openEngine(engine, { timeoutMs: rollBackMs })).delete(key);
  } catch (error) {
    log.warn('upload.left_to_sweep', { engine, key, error });
  }
}
