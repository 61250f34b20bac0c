import {
  changeRow,
  findRow,
  findRows,
  getRow,
  partitionOf,
  retryOnConflict,
  versionConflict,
} from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { categories, countFiles, wrongCategory } from '../categories.ts';
import {
  type FileRecord,
  files,
  type StoredFile,
  toFileRecord,
  toSearchable,
} from '../records/file-record.ts';
import { keepOriginalName } from '../records/keep-original-name.ts';

/** How often a change of a file is tried if other requests change it at the same time. */
const changeTries = 30;

export const findFiles = (ids: readonly string[]): Promise<StoredFile[]> =>
  findRows(
    files,
    ids.map((id) => ({ id })),
  );

/**
 * Changes a file by the writes for its current record, in one transaction. If they fail with `version_conflict`,
 * reads the record and tries again. Returns whether the file still exists.
 */
export async function changeFile(
  file: StoredFile,
  toWrites: (current: StoredFile) => Write[] | Promise<Write[]>,
): Promise<boolean> {
  let current: StoredFile | undefined = file;
  return retryOnConflict(changeTries, async () => {
    current ??= await findRow(files, file);
    if (!current) return false;
    const writes = await toWrites(current);
    current = undefined;
    if (writes.length > 0) await transact(writes);
    return true;
  });
}

/** Changes the name that a file is shown by; its object stays at its key. @throws AppError `file.not_found` */
export async function renameFile(id: string, given: string): Promise<FileRecord> {
  const name = keepOriginalName(given);
  await changeRow(files, { id }, { set: { name, name_lower: toSearchable(name) } });
  return toFileRecord(await getRow(files, { id }));
}

/**
 * Moves files into a category, or out of their categories for null. Returns how many of them exist. Idempotent.
 *
 * @throws AppError `file.category_not_found`; `request.invalid` at `body.cid` if a file is of another type: then no
 *   file is moved; `version_conflict` if other requests keep moving a file
 */
export async function moveFiles(ids: readonly string[], cid: string | null): Promise<number> {
  const category = cid === null ? undefined : await getRow(categories, { id: cid });
  const found = await findFiles(ids);
  if (category && found.some(({ type }) => type !== category.type)) throw wrongCategory('body.cid');
  let moved = 0;
  // One after another: all write the category's number of files, and would conflict.
  for (const file of found) if (await changeFile(file, (current) => moveWrites(current, cid))) moved += 1;
  return moved;
}

function moveWrites({ id, type, cid: was }: StoredFile, cid: string | null): Write[] {
  if (was === cid) return [];
  const moved = cid && { cid, gsi2pk: partitionOf(files.indexes.byCategory, { cid }).pk, gsi2sk: id };
  const change = moved ? { set: moved } : { remove: ['cid', 'gsi2pk', 'gsi2sk'] };
  return [
    changeItem(files.key({ id }), { ...change, expect: { cid: was ?? undefined } }, versionConflict),
    ...(was ? [countFiles(was, -1, type, categories.missing)] : []),
    ...(cid ? [countFiles(cid, 1, type, categories.missing)] : []),
  ];
}
