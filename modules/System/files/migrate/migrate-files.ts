import { partitionOf, toRow } from '#shared/db/entity.ts';
import { type Position, queryIndex } from '#shared/db/items.ts';
import { isSpreadMark, listPartitions } from '#shared/db/spread-index.ts';
import { files, type StoredFile } from '../records/file-record.ts';
import { type Migration, migrateFile, taskFor } from './migrate-file.ts';

export interface MigrationProgress {
  moved: number;
  movedBytes: number;
  /** Files that were moved earlier and whose copy in the source is now deleted. */
  cleaned: number;
  failed: number;
}

export interface MigrationOptions extends Migration {
  /** Only counts. */
  isDryRun?: boolean;
  /** Called before each file: true ends the migration. */
  isStopped?(): boolean;
  /** Called after each file. */
  onProgress?(progress: MigrationProgress): void;
  /** Called for each file that failed. */
  onFailure?(id: string, error: unknown): void;
}

/**
 * Moves every file of one engine to another, one after another.
 *
 * @returns the numbers, and whether all files were visited
 */
export async function migrateFiles(
  options: MigrationOptions,
): Promise<MigrationProgress & { isComplete: boolean }> {
  const { isDryRun, isStopped = () => false, onProgress, onFailure } = options;
  const progress: MigrationProgress = { moved: 0, movedBytes: 0, cleaned: 0, failed: 0 };
  for await (const file of walkFiles()) {
    if (isStopped()) return { ...progress, isComplete: false };
    const planned = taskFor(file, options);
    if (!planned) continue;
    try {
      const done = isDryRun ? planned : await migrateFile(file.id, options);
      if (done === 'move') {
        progress.moved += 1;
        progress.movedBytes += file.size;
      }
      if (done === 'clean') progress.cleaned += 1;
    } catch (error) {
      progress.failed += 1;
      onFailure?.(file.id, error);
    }
    onProgress?.(progress);
  }
  return { ...progress, isComplete: true };
}

/** Walks through all files, the oldest of each partition first: files that are uploaded meanwhile come last. */
async function* walkFiles(): AsyncGenerator<StoredFile> {
  const { name, pk: plain } = partitionOf(files.indexes.byCreation, {});
  for (const pk of [plain, ...listPartitions(plain)]) {
    let start: Position | undefined;
    do {
      const { items, last } = await queryIndex({ name, pk, limit: 100, start, isNewestFirst: false });
      for (const item of items) if (!isSpreadMark(item)) yield toRow(files, item);
      start = last;
    } while (start);
  }
}
