import { changeRow, findRow, findRows, getRow, partitionOf, retryOnConflict } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { keepOriginalName } from '#shared/storage/naming/keep-original-name.ts';
import { categories, countFiles, unfitCategory } from '../categories/category.ts';
import {
  type FileRecord,
  files,
  type StoredFile,
  toFileRecord,
  toSearchable,
} from '../records/file-record.ts';

/** How often a change of one file is tried if others change the file at the same time. */
export const changeTries = 30;

/** Gives a file another name to be shown by; its object stays where it is. @throws AppError `file.not_found` */
export async function renameFile(id: string, given: string): Promise<FileRecord> {
  const name = keepOriginalName(given);
  await changeRow(files, { id }, { set: { name, name_lower: toSearchable(name) } });
  return toFileRecord(await getRow(files, { id }));
}

/**
 * Moves files into a category, or out of any. May be repeated: a file that is there already counts as moved.
 *
 * @param cid null for no category
 * @returns how many of the files exist
 * @throws AppError `file.category_not_found`; `request.invalid` at `body.cid` if a file is of another type,
 *   then none is moved; `version_conflict` if others keep moving a file
 */
export async function moveFiles(ids: readonly string[], cid: string | null): Promise<number> {
  const category = cid === null ? undefined : await getRow(categories, { id: cid });
  const found = await findRows(
    files,
    ids.map((id) => ({ id })),
  );
  if (category && found.some(({ type }) => type !== category.type)) throw unfitCategory('body.cid');
  let moved = 0;
  // One after another: they all write the category's count, and would conflict.
  for (const file of found) if (await moveFile(file, cid)) moved += 1;
  return moved;
}

/** @returns whether the file still exists */
async function moveFile({ id, ...file }: StoredFile, cid: string | null): Promise<boolean> {
  let current: StoredFile | undefined = { id, ...file };
  return retryOnConflict(changeTries, async () => {
    current ??= await findRow(files, { id });
    if (!current) return false;
    const writes = current.cid === cid ? [] : moveWrites(current, cid);
    current = undefined;
    if (writes.length > 0) await transact(writes);
    return true;
  });
}

function moveWrites({ id, type, cid: was }: StoredFile, cid: string | null): Write[] {
  const place = cid && { cid, gsi2pk: partitionOf(files.indexes.byCategory, { cid }).pk, gsi2sk: id };
  const change = place ? { set: place } : { remove: ['cid', 'gsi2pk', 'gsi2sk'] };
  const isMoved = () => new AppError('version_conflict');
  return [
    changeItem(files.key({ id }), { ...change, expect: { cid: was ?? undefined } }, isMoved),
    ...(was ? [countFiles(was, -1, type, categories.missing)] : []),
    ...(cid ? [countFiles(cid, 1, type, categories.missing)] : []),
  ];
}
