import { getItem, getItems } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { type StoredFile, toStoredFile } from '../records/file-record.ts';

/** A file; undefined where there is none. */
export async function findFile(id: string): Promise<StoredFile | undefined> {
  const item = await getItem(keys.file(id));
  return item && toStoredFile(item);
}

/** The files of some IDs in no given order; unknown ones are left out. */
export async function findFiles(ids: readonly string[]): Promise<StoredFile[]> {
  return (await getItems(ids.map(keys.file))).map(toStoredFile);
}

/** The condition that a file is there, and in the category that it was read in. */
export function inCategory(cid: string | null) {
  return cid
    ? { condition: 'cid = :was', values: { ':was': cid } }
    : { condition: 'attribute_exists(pk) AND attribute_not_exists(cid)', values: {} };
}

/** How often a change of one file begins anew because others have changed the file meanwhile. */
export const changeTries = 30;
