import type { UploadExtension } from '#shared/config/upload.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { refuseTooLarge } from '#shared/errors/too-large.ts';
import { log } from '#shared/log/log.ts';
import type { ReceivedFile } from '#shared/schema/received-file.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { checkDeclared } from '#shared/storage/checks/check-declared.ts';
import { headBytes } from '#shared/storage/checks/content-source.ts';
import { ObjectExistsError, unavailable } from '#shared/storage/engine.ts';
import { type EngineName, type NamedEngine, openDefaultEngine, openEngine } from '#shared/storage/engines.ts';
import { assertCategory } from '../categories/category.ts';
import { type FileRecord, toFileRecord, type Uploader } from '../records/file-record.ts';
import { describeUpload, type FilePlace } from './accept-file.ts';
import { formLimitBytes } from './form-limit.ts';
import { beginUpload, completeUpload, type Upload } from './upload-record.ts';
import { readUploadSettings, type UploadSettings } from './upload-settings.ts';

/** A file that came in a form. */
export interface FormUpload extends FilePlace {
  type: string;
  file: ReceivedFile;
  uploader: Uploader;
}

/** How long the writing of a received file may take, in seconds. */
const writeSeconds = 60;
/** How long an engine that may just have hung is waited for again: what both take has to fit into 29 seconds. */
const takeBackMs = 8_000;

/**
 * Takes a file that came in a form: the seven steps of the specification in their order.
 *
 * @param settings read already, as a route prefetches them; by default they are read here
 * @throws AppError `upload.*` for what is refused; `request.too_large` above what a form may hold;
 *   `request.invalid` for an unknown category; `storage.*` for an engine that fails. No object and no record is
 *   left then: what cannot be taken back at once, the sweep takes back.
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
    // An answer of the database may be lost when the record is there: then only the sweep can tell.
    const isRefused = error instanceof ConditionError;
    if (isRefused || isStorageFailure(error)) await takeBack(engine.name, key);
    if (isRefused) throw refuseCategory(error);
    // Keys are never met twice: it is a leftover of the engine's own retry.
    throw error instanceof ObjectExistsError ? unavailable(error) : error;
  }
}

const isStorageFailure = (error: unknown): boolean =>
  !(error instanceof AppError && error.code.startsWith('database.'));

async function takeBack(engine: EngineName, key: string): Promise<void> {
  try {
    await (await openEngine(engine, { timeoutMs: takeBackMs })).delete(key);
  } catch (error) {
    log.warn('upload.left_to_sweep', { engine, key, error });
  }
}

/** The category was there a moment ago. */
function refuseCategory(cause: ConditionError): AppError {
  return new AppError('request.invalid', {
    cause,
    errors: [{ path: 'body.cid', message: 'rule.category' }],
  });
}
