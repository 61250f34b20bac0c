import { ulid } from 'ulid';
import { addFileCategory } from '#modules/System/files/categories.ts';
import type { StoredFile } from '#modules/System/files/records/file-record.ts';
import { addFile } from '#modules/System/files/uploads/upload-record.ts';
import type { UploadType } from '#shared/config/upload.ts';
import { getItem, type Item, queryPage, queryPartition, transact } from '#shared/db/items.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { indexes, keys } from '../../../../support/keys.ts';

export const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const endings = { image: 'png', video: 'mp4', file: 'pdf' } as const;

/** A file record with the values of a test. */
export function describeFile(given: Partial<StoredFile> = {}): StoredFile {
  const { type = 'image' } = given;
  const ext = endings[type];
  const key = createObjectPath({ type, ext });
  return {
    id: ulid(),
    cid: null,
    type,
    name: `picture.${ext}`,
    uri: `storage/${key}`,
    ext,
    mime: 'image/png',
    size: 3,
    module: '',
    tag: '',
    uploader: { kind: 'guest', id: null },
    engine: 'local',
    key,
    created_at: new Date().toISOString(),
    ...given,
  };
}

/** A recorded file. */
export async function newFile(given: Partial<StoredFile> = {}): Promise<StoredFile> {
  const file = describeFile(given);
  await transact(addFile(file));
  return file;
}

/** Files recorded one after another, the oldest first. */
export async function newFiles(count: number, given: Partial<StoredFile> = {}): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (let index = 0; index < count; index += 1) files.push(await newFile(given));
  return files;
}

export async function newCategory(type: UploadType = 'image', parent_id: string | null = null) {
  return (await addFileCategory({ name: 'category', type, parent_id })).id;
}

export const readFile = (id: string): Promise<Item | undefined> => getItem(keys.file(id));

/** The category's own number of files. */
export async function countOf(cid: string): Promise<unknown> {
  return (await getItem(keys.fileCategory(cid)))?.file_count;
}

/** The real number of files in a category. */
export async function recount(cid: string): Promise<number> {
  const { name, pk } = indexes.filesByCategory;
  const { items } = await queryPage({
    IndexName: name,
    KeyConditionExpression: `${name}pk = :pk`,
    ExpressionAttributeValues: { ':pk': pk(cid) },
  });
  return items.length;
}

/** Every item of the categories' partition. */
export const readCategories = (): Promise<Item[]> => queryPartition(keys.fileCategories);
