import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { denyPermission, isPermitted, type Permission, type Rights } from '#shared/auth/permission.ts';
import {
  assertVersion,
  defineEntity,
  editRow,
  getRow,
  listPartition,
  putRow,
  removeRow,
  takeClaim,
} from '#shared/db/entity.ts';
import { type Key, transact, type Write } from '#shared/db/items.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { fold } from '#shared/schema/search.ts';
import systemErrors from '../errors.ts';
import { type View, viewData } from './schema.ts';

/** Most views of a page. */
export const maxViews = 50;

const views = defineEntity({
  row: z.object({ ...viewData.shape, name: z.string(), query: z.string() }),
  key: ({ page, id }: Pick<View, 'page' | 'id'>) => ({ pk: `CONSOLE_VIEW#${page}`, sk: id }),
  target: 'view',
  missing: () => systemErrors.create('view.not_found'),
});

const counterKey = (page: string): Key => ({ pk: `CONSOLE_VIEW_TOTAL#${page}`, sk: '0' });
const nameKey = ({ page, name }: Pick<View, 'page' | 'name'>): Key => ({
  pk: `CONSOLE_VIEW_NAME#${page}`,
  // Nothing may be left of a name of accents only.
  sk: fold(name).trim() || name,
});
const isTaken = (cause?: unknown) => systemErrors.create('view.exists', { cause });

interface Caller {
  admin: Rights;
  permissions: readonly Permission[];
}

/**
 * Checks that a caller may read the list of a page. A page that does not exist, or whose module is disabled, is refused
 * too.
 *
 * @throws AppError `auth.permission_denied`
 */
export function assertReads(page: string, { admin, permissions }: Caller): void {
  const path = `${page}/list`;
  const list = permissions.find((each) => each.path === path && each.kind === 'read');
  if (!list || !isPermitted(admin, list)) throw denyPermission(list ?? { path, kind: 'read' });
}

/** All views of a page, oldest first. */
export const listViews = (page: string): Promise<View[]> =>
  listPartition(views, views.key({ page, id: '' }).pk);

/** @throws AppError `view.exists`; `request.invalid` at `body` if the page has {@link maxViews} already */
export async function addView(input: Pick<View, 'page' | 'name' | 'query' | 'columns'>): Promise<View> {
  const now = new Date().toISOString();
  const view: View = { id: ulid(), ...input, version: 1, created_at: now, updated_at: now };
  await transact([takeClaim(nameKey(view), view.id, isTaken), putRow(views, view), countViews(view.page, 1)]);
  return view;
}

/** @throws AppError `view.not_found`, `view.exists`, `version_conflict` */
export async function editView(
  key: Pick<View, 'page' | 'id'>,
  version: number,
  changes: Partial<Pick<View, 'name' | 'query' | 'columns'>>,
): Promise<View> {
  const old = await getRow(views, key);
  assertVersion(old, version);
  const { write, row } = editRow(views, old, changes);
  const isRenamed = nameKey(old).sk !== nameKey(row).sk;
  const renaming = [takeClaim(nameKey(row), row.id, isTaken), removeItem(nameKey(old))];
  await transact([write, ...(isRenamed ? renaming : [])]);
  return row;
}

/** @throws AppError `view.not_found`, `version_conflict` */
export async function deleteView(key: Pick<View, 'page' | 'id'>): Promise<void> {
  const old = await getRow(views, key);
  await transact([removeRow(views, old), removeItem(nameKey(old)), countViews(old.page, -1)]);
}

const countViews = (page: string, by: 1 | -1): Write =>
  changeItem(
    counterKey(page),
    { add: { count: by }, ...(by > 0 && { atMost: { count: maxViews - by } }) },
    (cause: unknown) =>
      new AppError('request.invalid', {
        cause,
        errors: [{ path: 'body', message: 'rule.view_limit' }],
        params: { max: maxViews },
      }),
  );
