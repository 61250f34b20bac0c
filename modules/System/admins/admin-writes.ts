import { getRow } from '#shared/db/entity.ts';
import { getItem, type Key, type Write } from '#shared/db/items.ts';
import { type Attributes, changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { type Admin, admins } from './admin-record.ts';

// Parts of the changes of administrators.

/** Counts all enabled administrators. */
const enabledCounter: Key = { pk: 'COUNTER#ADMIN_ENABLED', sk: '0' };
/** Counts the super administrators among them who have a password. */
const superCounter: Key = { pk: 'COUNTER#ADMIN_SUPER', sk: '0' };

export async function countEnabledAdmins(): Promise<number> {
  return Number((await getItem(enabledCounter))?.count ?? 0);
}

/** The change that ends every session, API token, connection and confirmation of an administrator, for good. */
export const endAll = { add: { session_epoch: 1 }, remove: ['token_epoch'] };

/** The writes that count enabled administrators. For -1, they fail for the last super administrator with a password. */
export const countEnabled = (by: 1 | -1, admin: Pick<Admin, 'id' | 'super' | 'has_password'>): Write[] => [
  changeItem(enabledCounter, { add: { count: by } }),
  ...(admin.super && admin.has_password ? [countSupers(by, admin.id)] : []),
];

/** The write that counts an enabled super administrator with a password. For -1, it fails for the last one. */
export const countSupers = (by: 1 | -1, id: string): Write =>
  changeItem(
    superCounter,
    { add: { count: by }, ...(by < 0 && { atLeast: { count: 2 } }) },
    refuse(id, () => systemErrors.create('admin.last_super')),
  );

/** `admin.not_found` takes precedence over the error of `create`. */
export const refuse = (id: string, create: () => AppError) => async () => {
  await getRow(admins, { id });
  return create();
};

/** The writes that count a super administrator who gets a password. */
export const countFirstPassword = (old: Admin): Write[] =>
  old.super && !old.has_password && old.status === 'enabled' ? [countSupers(1, old.id)] : [];

/** The conditions that `Check` promises: what was read has not changed. */
export const unchanged = ({ status, super: isSuper, role_ids, has_password }: Admin): Attributes => ({
  status,
  super: isSuper,
  role_ids,
  // Stored only for those who have none.
  has_password: has_password ? undefined : false,
});

/** The counters; administrators are written by who uses them. */
export const writtenKeys: ListWrittenKeys = () => [enabledCounter.pk, superCounter.pk];
