import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { changeRow, findRow, queryRows } from '#shared/db/entity.ts';
import { deleteItem, type Position } from '#shared/db/items.ts';
import { log } from '#shared/log/log.ts';
import { engines, openEngine } from '#shared/storage/engines.ts';
import { files } from '../records/file-record.ts';
import { listUploadPartitions, toSweepKey, type Upload, uploads } from './upload-record.ts';

/** What a sweep has done. */
export interface SweepOutcome {
  /** Uploads of which nothing is left but their file, where they have one. */
  swept: number;
  /** Uploads that wait for another time, since their engine failed. */
  failed: number;
}

export interface SweepOptions {
  /** Up to which moment uploads count as over. @default now */
  now?: Date;
  /** Ends between two uploads once this says so. */
  isOver?(): boolean;
}

/** When an upload whose engine failed is tried again, in seconds. */
const retrySeconds = 3600;
const pageSize = 25;

/**
 * Removes what uploads have left that are over: the objects of those that were never completed, or whose file
 * is deleted, staged copies of all, and what a stopped function was writing to a local disk. May be run at any
 * time, also twice at once.
 */
export async function sweepUploads({
  now = new Date(),
  isOver = () => false,
}: SweepOptions = {}): Promise<SweepOutcome> {
  await removeTemporaryFiles(now);
  const outcome: SweepOutcome = { swept: 0, failed: 0 };
  const partitions = listUploadPartitions();
  // Most partitions hold nothing that is over, so all are asked at once.
  const first = await settleAll(partitions.map((pk) => readPage(now, pk)));
  for (const [index, pk] of partitions.entries()) {
    for (let page = first[index]; page; page = page.last && (await readPage(now, pk, page.last))) {
      for (const upload of page.rows) {
        if (isOver()) return outcome;
        outcome[(await sweep(upload, now)) ? 'swept' : 'failed'] += 1;
      }
    }
  }
  return outcome;
}

/** Removes what writes to a local disk have left whose function was stopped. */
async function removeTemporaryFiles(now: Date): Promise<void> {
  if (!environment().storageDir) return;
  try {
    const before = new Date(now.getTime() - uploadTransport.graceSeconds * 1000);
    await (await engines.local.open()).removeTemporaryFiles(before);
  } catch (error) {
    // Another engine may be in use, and its uploads are swept all the same.
    log.warn('upload.sweep_failed', { engine: 'local', error });
  }
}

function readPage(now: Date, pk: string, start?: Position) {
  const { name } = uploads.indexes.bySweep;
  return queryRows(uploads, {
    ...{ name, pk, below: now.toISOString(), isNewestFirst: false },
    ...{ limit: pageSize, start },
  });
}

async function sweep(upload: Upload, now: Date): Promise<boolean> {
  const { id, key, engine: name, size } = upload.file;
  try {
    const engine = await openEngine(name);
    // Settling again leaves nothing but the object.
    if (await findRow(files, { id })) await engine.settle(key, size);
    else await engine.delete(key);
    await deleteItem(uploads.key({ id }));
    return true;
  } catch (error) {
    log.warn('upload.sweep_failed', { upload: id, engine: name, error });
    await postpone(id, now);
    return false;
  }
}

/** Uploads whose engine fails must not stand before all others for ever. */
async function postpone(id: string, now: Date): Promise<void> {
  const again = toSweepKey(Math.floor(now.getTime() / 1000) + retrySeconds, id);
  await changeRow(uploads, { id }, { set: { gsi1sk: again } }).catch((error: unknown) =>
    log.warn('upload.sweep_failed', { upload: id, error }),
  );
}
