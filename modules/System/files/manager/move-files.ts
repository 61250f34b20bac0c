import { ConditionError } from '#shared/db/errors.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { unfitCategory } from '../categories/assert-category.ts';
import { getFileCategory } from '../categories/category.ts';
import { countInCategory } from '../records/add-file.ts';
import type { StoredFile } from '../records/file-record.ts';
import { changeTries, findFile, findFiles, inCategory } from './find-file.ts';

/**
 * Moves files into a category, or out of any. May be repeated: a file that is there already counts as moved.
 *
 * @param cid null for no category
 * @returns how many of the files there are
 * @throws AppError `file.category_not_found`; `request.invalid` at `body.cid` where a file is of another type,
 *   then none is moved; `version_conflict` where others move a file all the time
 */
export async function moveFiles(ids: readonly string[], cid: string | null): Promise<number> {
  const category = cid === null ? undefined : await getFileCategory(cid);
  const files = await findFiles(ids);
  if (category && files.some(({ type }) => type !== category.type)) throw unfitCategory('body.cid');
  let moved = 0;
  // One after another: they all write the category's count, and would stand in each other's way.
  for (const file of files) if (await moveFile(file, cid)) moved += 1;
  return moved;
}

/** @returns whether there is such a file still */
async function moveFile(file: StoredFile, cid: string | null): Promise<boolean> {
  let current: StoredFile | undefined = file;
  for (let tries = 0; tries < changeTries; tries += 1) {
    if (!current) return false;
    if (current.cid === cid) return true;
    try {
      await transact(moveWrites(current, cid));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      if (!error.failed.includes(0)) throw new AppError('file.category_not_found');
      current = await findFile(file.id);
    }
  }
  throw new AppError('version_conflict');
}

function moveWrites({ id, type, cid: was }: StoredFile, cid: string | null): Write[] {
  const { condition, values } = inCategory(was);
  const place = cid && { ':cid': cid, ':pk': indexes.filesByCategory.pk(cid), ':id': id };
  const update = {
    Key: { ...keys.file(id) },
    UpdateExpression: place ? 'SET cid = :cid, gsi2pk = :pk, gsi2sk = :id' : 'REMOVE cid, gsi2pk, gsi2sk',
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values, ...place },
  };
  return [
    { Update: update },
    ...(was ? [countInCategory(was, -1, type)] : []),
    ...(cid ? [countInCategory(cid, 1, type)] : []),
  ];
}
