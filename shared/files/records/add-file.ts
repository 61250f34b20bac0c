import type { Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import type { StoredFile } from './file-record.ts';
import { toSearchable } from './searchable.ts';

/**
 * The writes that record a file: the record itself, and its place in its category where it has one. They
 * belong in one transaction, the record first. Conditions: there is no such record, and the category is there
 * and of the file's type.
 */
export function addFile(file: StoredFile): Write[] {
  return [
    { Put: { Item: toItem(file), ConditionExpression: 'attribute_not_exists(pk)' } },
    ...(file.cid ? [countInCategory(file.cid, 1, file.type)] : []),
  ];
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

function toItem({ uploader, cid, ...file }: StoredFile) {
  return {
    ...keys.file(file.id),
    ...file,
    name_lower: toSearchable(file.name),
    ...(cid && { cid, gsi2pk: indexes.filesByCategory.pk(cid), gsi2sk: file.id }),
    uploader_kind: uploader.kind,
    ...(uploader.id && { uploader_id: uploader.id }),
    gsi1pk: indexes.filesByCreation.pk,
    gsi1sk: file.id,
    gsi3pk: indexes.filesByType.pk(file.type),
    gsi3sk: file.id,
  };
}
