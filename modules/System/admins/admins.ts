import { ulid } from 'ulid';
import { hashPassword } from '#shared/auth/password.ts';
import { getRow, putRow, takeClaim } from '#shared/db/entity.ts';
import { getItem, type Key, type Refusal, transact, type Write } from '#shared/db/items.ts';
import { type Attributes, changeItem, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { assertOldPassword } from '../public/old-password.ts';
import { countHolders } from '../roles/role-record.ts';
import { type Admin, accountClaim, adminRecords, admins } from './admin-record.ts';

/** Counts all enabled administrators. */
const enabledCounter: Key = { pk: 'COUNTER#ADMIN_ENABLED', sk: '0' };
/** Counts the super administrators among them. */
const superCounter: Key = { pk: 'COUNTER#ADMIN_SUPER', sk: '0' };

interface NewAdmin {
  account: string;
  name: string;
  password: string;
  avatar?: string;
  /** @default false */
  isSuper?: boolean;
  /** IDs of roles. */
  roleIds?: string[];
}
/** Checks an administrator as stored; the write that follows fails if status or rights have changed since. */
export type Check = (stored: Admin) => Promise<void>;
type AdminChanges = Partial<Pick<Admin, 'name' | 'avatar' | 'status'>>;

/** @throws AppError `admin.not_found` */
export const getAdmin = (id: string): Promise<Admin> => getRow(admins, { id });

export async function countEnabledAdmins(): Promise<number> {
  return Number((await getItem(enabledCounter))?.count ?? 0);
}

/** The change that ends every session, API token, connection and confirmation of an administrator, for good. */
export const endAll = { add: { session_epoch: 1 }, remove: ['token_epoch'] };

/**
 * @param more writes of the same transaction
 * @throws AppError `admin.account_exists`, `role.not_found`
 */
export async function addAdmin(
  { account, name, password, avatar = '', isSuper = false, roleIds = [] }: NewAdmin,
  more: readonly Write[] = [],
): Promise<Admin> {
  const id = ulid();
  const admin: Admin = {
    id,
    account,
    name,
    avatar,
    status: 'enabled',
    super: isSuper,
    role_ids: roleIds,
    two_factor: false,
    last_login_at: null,
    last_login_ip: null,
    created_at: new Date().toISOString(),
  };
  const record = { ...admin, password_hash: await hashPassword(password), session_epoch: 1 };
  const isTaken = () => systemErrors.create('admin.account_exists');
  await transact([
    takeClaim(accountClaim(account), id, isTaken),
    putRow(adminRecords, record),
    ...countEnabled(1, admin),
    ...countHolders(roleIds, 1),
    ...more,
  ]);
  return admin;
}

/**
 * Changes an administrator; disabling ends all sessions and tokens.
 *
 * @param check throws if the caller may not change this administrator
 * @throws AppError `admin.not_found`, `admin.last_super`, `version_conflict` if status or rights changed meanwhile
 */
export async function editAdmin(id: string, changes: AdminChanges, check?: Check): Promise<Admin> {
  const old = await getAdmin(id);
  await check?.(old);
  const { status = old.status } = changes;
  const isDisabling = status !== old.status && status === 'disabled';
  const change = { set: { ...changes, status }, ...(isDisabling && endAll), expect: unchanged(old) };
  await transact([
    changeItem(admins.key({ id }), change, refuseConflict(id)),
    ...(status === old.status ? [] : countEnabled(isDisabling ? -1 : 1, old)),
  ]);
  return getAdmin(id);
}

/**
 * Replaces the roles of an administrator. All sessions and tokens end if rights are added, or if none are left: a token
 * never has rights that its owner got after it was made (decision 0034).
 *
 * @param isSuper undefined changes nothing
 * @param check throws if the caller may not change this administrator
 * @throws AppError `admin.not_found`, `admin.last_super`, `role.not_found`; `version_conflict` if status or rights
 *   changed meanwhile
 */
export async function setAdminRoles(
  id: string,
  role_ids: string[],
  isSuper?: boolean,
  check?: Check,
): Promise<Admin> {
  const old = await getAdmin(id);
  await check?.(old);
  const rights = { role_ids, super: isSuper ?? old.super };
  const added = role_ids.filter((each) => !old.role_ids.includes(each));
  const taken = old.role_ids.filter((each) => !role_ids.includes(each));
  const isMoved = rights.super !== old.super;
  const isPromoted = added.length > 0 || (isMoved && rights.super);
  const isStripped = !rights.super && role_ids.length === 0 && (isMoved || taken.length > 0);
  const change = { set: rights, ...((isPromoted || isStripped) && endAll), expect: unchanged(old) };
  await transact([
    changeItem(admins.key({ id }), change, refuseConflict(id)),
    ...countHolders(added, 1),
    ...countHolders(taken, -1),
    ...(isMoved && old.status === 'enabled' ? [countSupers(rights.super ? 1 : -1, id)] : []),
  ]);
  return { ...old, ...rights };
}

/**
 * Deletes an administrator and frees the account.
 *
 * @param check throws if the caller may not change this administrator
 * @throws AppError `admin.not_found`, `admin.last_super`, `version_conflict` if status or rights changed meanwhile
 */
export async function deleteAdmin(id: string, check?: Check): Promise<void> {
  const old = await getAdmin(id);
  await check?.(old);
  await transact([
    removeItem(admins.key({ id }), { expect: unchanged(old) }, refuseConflict(id)),
    ...(old.status === 'enabled' ? countEnabled(-1, old) : []),
    ...countHolders(old.role_ids, -1),
    removeItem(accountClaim(old.account)),
  ]);
}

/**
 * Sets a password; every session of the administrator ends.
 *
 * @param expect values of the record that must not have changed
 * @param tokenEpoch lowest epoch of tokens that stay; undefined ends all
 * @throws AppError `admin.not_found`; `version_conflict` if one of them has
 */
async function setPassword(
  id: string,
  password: string,
  expect: Attributes,
  tokenEpoch?: number,
): Promise<void> {
  const password_hash = await hashPassword(password);
  const isEnd = tokenEpoch === undefined;
  const change = {
    ...(isEnd ? endAll : { add: endAll.add }),
    set: { password_hash, token_epoch: tokenEpoch },
    expect,
  };
  await transact([changeItem(admins.key({ id }), change, refuseConflict(id))]);
}

/**
 * Sets the password of another administrator; all sessions and tokens end.
 *
 * @param check throws if the caller may not change this administrator
 * @throws AppError `admin.not_found`; `version_conflict` if status or rights changed meanwhile
 */
export async function setAdminPassword(id: string, password: string, check?: Check): Promise<void> {
  if (!check) return setPassword(id, password, {});
  const old = await getAdmin(id);
  await check(old);
  await setPassword(id, password, unchanged(old));
}

/**
 * Sets the password of an administrator who knows the old one; every session of the administrator ends.
 *
 * @param keepsTokens whether API tokens and connections stay
 * @throws AppError `request.invalid` for `body.old_password`; `admin.not_found`; `version_conflict` if the
 *   password was changed meanwhile
 */
export async function changeOwnPassword(
  id: string,
  password: string,
  oldPassword: string,
  keepsTokens = false,
): Promise<void> {
  const { password_hash, session_epoch, token_epoch = session_epoch } = await getRow(adminRecords, { id });
  await assertOldPassword(oldPassword, password_hash);
  await setPassword(id, password, { session_epoch }, keepsTokens ? token_epoch : undefined);
}

/** The writes that count enabled administrators. For -1, they fail for the last super administrator. */
const countEnabled = (by: 1 | -1, admin: Pick<Admin, 'id' | 'super'>): Write[] => [
  changeItem(enabledCounter, { add: { count: by } }),
  ...(admin.super ? [countSupers(by, admin.id)] : []),
];

/** The write that counts an enabled super administrator. For -1, it fails for the last one. */
export const countSupers = (by: 1 | -1, id: string): Write =>
  changeItem(
    superCounter,
    { add: { count: by }, ...(by < 0 && { atLeast: { count: 2 } }) },
    refuse(id, () => systemErrors.create('admin.last_super')),
  );

/** The conditions that {@link Check} promises. */
const unchanged = ({ status, super: isSuper, role_ids }: Admin): Attributes => ({
  status,
  super: isSuper,
  role_ids,
});

const refuseConflict = (id: string): Refusal => refuse(id, () => new AppError('version_conflict'));

/** `admin.not_found` takes precedence over the error of `create`. */
const refuse = (id: string, create: () => AppError) => async () => {
  await getAdmin(id);
  return create();
};

export const writtenKeys: ListWrittenKeys = () => [
  admins.key({ id: '*' }).pk,
  accountClaim('*').pk,
  enabledCounter.pk,
  superCounter.pk,
];
