import { partitionOf, putRow } from '#shared/db/entity.ts';
import type { Write } from '#shared/db/items.ts';
import { choosePlaces, learnSpread } from '#shared/db/spread-index.ts';
import type { Attributes } from '#shared/db/writes.ts';
import { countFiles } from '../categories/category.ts';
import { files, type StoredFile } from './file-record.ts';

const { byCreation, byType } = files.indexes;

/**
 * The writes that record a file: the record, and its place in its category if it has one. They belong in one
 * transaction, the record first. Conditions: there is no such record, and the category exists and is of the file's
 * type.
 *
 * @param places of {@link chooseFilePlaces}; by default those of lists that are not spread
 */
export function addFile(file: StoredFile, places?: Attributes): Write[] {
  return [putRow(files, file, places), ...(file.cid ? [countFiles(file.cid, 1, file.type)] : [])];
}

/** Reads ahead what {@link chooseFilePlaces} needs to know; nothing if this process knows it. */
export const learnFilePlaces = (file: StoredFile): Promise<void> =>
  learnSpread([partitionOf(byCreation, file), partitionOf(byType, file)]);

/** The places of a new file in the lists that may be spread. @throws AppError `database.unavailable` */
export const chooseFilePlaces = (file: StoredFile): Promise<Attributes> =>
  choosePlaces([partitionOf(byCreation, file), partitionOf(byType, file)]);
