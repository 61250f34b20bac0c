import { settleAll } from '#shared/async/settle-all.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { changeRow, findRow, queryRows } from '#shared/db/entity.ts';
import { deleteItem, type Position } from '#shared/db/items.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { openEngine, receivingEngines } from '#shared/storage/engines.ts';
import { toCleanKey } from '#shared/storage/naming/object-path.ts';
import { deleteObjects } from '../manager/delete-objects.ts';
import { files } from '../records/file-record.ts';
import { dropUpload, toCleanUpKey, type Upload, uploadPartitions, uploads } from './upload-record.ts';

/** When an upload whose engine failed is tried again. */
const retrySeconds = 3600;
const pageSize = 25;

/**
 * Removes the leftovers of uploads that expired before `now`: objects without a file record, staged copies, temporary
 * files of engines that receive parts. May run at any time, also twice at once, until `isOver` returns true.
 *
 * @returns the numbers of uploads cleaned up, and of uploads whose engine failed; those are tried again
 */
export async function cleanUpUploads({
  now = new Date(),
  isOver = () => false,
}: {
  now?: Date;
  isOver?: () => boolean;
} = {}) {
  await removeTemporaryFiles(now);
  const outcome = { cleaned: 0, failed: 0 };
  const partitions = listPartitions(uploads.indexes.byCleanUp.pk(), uploadPartitions);
  // Most partitions are empty, so all are read at once.
  const first = await settleAll(partitions.map((pk) => readPage(now, pk)));
  for (const [index, pk] of partitions.entries()) {
    for (let page = first[index]; page; page = page.last && (await readPage(now, pk, page.last))) {
      for (const upload of page.rows) {
        if (isOver()) return outcome;
        outcome[(await cleanUp(upload, now)) ? 'cleaned' : 'failed'] += 1;
      }
    }
  }
  return outcome;
}

async function removeTemporaryFiles(now: Date): Promise<void> {
  const before = new Date(now.getTime() - uploadTransport.graceSeconds * 1000);
  for (const name of receivingEngines) {
    try {
      await (await openEngine(name)).parts?.removeTemporaryFiles(before);
    } catch (error) {
      // An engine that is not set up has no files. The uploads of the others can still be cleaned up.
      const isSetUp = !(error instanceof AppError && error.code === 'storage.not_configured');
      if (isSetUp) log.warn('upload.clean_up_failed', { engine: name, error });
    }
  }
}

function readPage(now: Date, pk: string, start?: Position) {
  const { name } = uploads.indexes.byCleanUp;
  const range = { below: now.toISOString(), isNewestFirst: false, limit: pageSize, start };
  return queryRows(uploads, { name, pk, ...range });
}

async function cleanUp(upload: Upload, now: Date): Promise<boolean> {
  const { file } = upload;
  const { id, key, engine: name, size } = file;
  try {
    const engine = await openEngine(name);
    const recorded = await findRow(files, { id });
    if (recorded) {
      // Finalising again removes staged copies and parts.
      await engine.finalise(key, size);
      if (recorded.key !== key) await deleteObjects(engine, key);
      await deleteItem(uploads.key({ id }));
    } else {
      await deleteObjects(engine, key);
      await deleteObjects(engine, toCleanKey(key));
      await dropUpload(upload);
    }
    return true;
  } catch (error) {
    const warn = (cause: unknown) =>
      log.warn('upload.clean_up_failed', { upload: id, engine: name, error: cause });
    warn(error);
    // Behind the others.
    const again = toCleanUpKey(Math.floor(now.getTime() / 1000) + retrySeconds, id);
    await changeRow(uploads, { id }, { set: { gsi1sk: again } }).catch(warn);
    return false;
  }
}
