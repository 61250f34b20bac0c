import { settleAll } from '#shared/async/settle-all.ts';
import type { Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { type CreationIndex, choosePartition, learnSpread } from '#shared/db/spread-index.ts';
import type { StoredFile } from './file-record.ts';
import { toSearchable } from './searchable.ts';

/**
 * The writes that record a file: the record itself, and its place in its category where it has one. They
 * belong in one transaction, the record first. Conditions: there is no such record, and the category is there
 * and of the file's type.
 *
 * @param partitions where it is listed, of {@link chooseFilePartitions}; by default those of a list that is not spread
 */
export function addFile(file: StoredFile, partitions = plainPartitions(file)): Write[] {
  return [
    { Put: { Item: toItem(file, partitions), ConditionExpression: 'attribute_not_exists(pk)' } },
    ...(file.cid ? [countInCategory(file.cid, 1, file.type)] : []),
  ];
}

/** Index partitions that a file is listed in. */
export interface FilePartitions {
  byCreation: string;
  byType: string;
}

const plainPartitions = ({ type }: StoredFile): FilePartitions => ({
  byCreation: indexes.filesByCreation.pk,
  byType: indexes.filesByType.pk(type),
});

const indexesOf = (file: StoredFile): [byCreation: CreationIndex, byType: CreationIndex] => {
  const { byCreation, byType } = plainPartitions(file);
  return [
    { name: indexes.filesByCreation.name, pk: byCreation },
    { name: indexes.filesByType.name, pk: byType },
  ];
};

/** Reads ahead what {@link chooseFilePartitions} needs to know; nothing if this process knows it. */
export async function learnFilePartitions(file: StoredFile): Promise<void> {
  await learnSpread(indexesOf(file));
}

/** @throws AppError `database.unavailable` */
export async function chooseFilePartitions(file: StoredFile): Promise<FilePartitions> {
  const [creation, type] = indexesOf(file);
  const [byCreation, byType] = await settleAll([choosePartition(creation), choosePartition(type)]);
  return { byCreation, byType };
}

/** The write that counts files in or out of a category. */
export function countInCategory(cid: string, by: number, type: string): Write {
  return {
    Update: {
      Key: { ...keys.fileCategory(cid) },
      UpdateExpression: 'ADD file_count :by',
      ConditionExpression: '#type = :type',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':by': by, ':type': type },
    },
  };
}

function toItem({ uploader, cid, ...file }: StoredFile, { byCreation, byType }: FilePartitions) {
  return {
    ...keys.file(file.id),
    ...file,
    name_lower: toSearchable(file.name),
    ...(cid && { cid, gsi2pk: indexes.filesByCategory.pk(cid), gsi2sk: file.id }),
    uploader_kind: uploader.kind,
    ...(uploader.id && { uploader_id: uploader.id }),
    gsi1pk: byCreation,
    gsi1sk: file.id,
    gsi3pk: byType,
    gsi3sk: file.id,
  };
}
