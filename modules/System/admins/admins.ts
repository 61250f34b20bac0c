import { hashPassword } from '#shared/auth/password.ts';
import { getRow } from '#shared/db/entity.ts';
import { type Refusal, transact, type Write } from '#shared/db/items.ts';
import { type Attributes, changeItem, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { assertOldPassword } from '../public/old-password.ts';
import { countHolders } from '../roles/role-record.ts';
import {
  type Admin,
  type AdminRecord,
  accountClaim,
  adminRecords,
  admins,
  invitationAttributes,
  ssoAttributes,
  ssoClaim,
} from './admin-record.ts';
import { countEnabled, countFirstPassword, countSupers, endAll, refuse, unchanged } from './admin-writes.ts';

export { addAdmin } from './add-admin.ts';
export { countEnabledAdmins, countSupers, endAll } from './admin-writes.ts';

/** Checks an administrator as stored; the write that follows fails if status or rights have changed since. */
export type Check = (stored: Admin) => Promise<void>;
type AdminChanges = Partial<Pick<Admin, 'name' | 'avatar' | 'status'>>;

/** @throws AppError `admin.not_found` */
export const getAdmin = (id: string): Promise<Admin> => getRow(admins, { id });

/**
 * Changes an administrator; disabling ends all sessions and tokens, and an invitation.
 *
 * @param check throws if the caller may not change this administrator
 * @throws AppError `admin.not_found`, `admin.last_super`, `version_conflict` if status or rights changed meanwhile
 */
export async function editAdmin(id: string, changes: AdminChanges, check?: Check): Promise<Admin> {
  const old = await getAdmin(id);
  await check?.(old);
  const { status = old.status } = changes;
  const isDisabling = status !== old.status && status === 'disabled';
  const end = { ...endAll, remove: [...endAll.remove, ...invitationAttributes] };
  const change = { set: { ...changes, status }, ...(isDisabling && end), expect: unchanged(old) };
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
  // An invitation counts a super administrator when it is accepted: it has to see that this has changed.
  const isEnding = isPromoted || isStripped || (isMoved && !old.has_password);
  const change = { set: rights, ...(isEnding && endAll), expect: unchanged(old) };
  await transact([
    changeItem(admins.key({ id }), change, refuseConflict(id)),
    ...countHolders(added, 1),
    ...countHolders(taken, -1),
    ...(isMoved && old.status === 'enabled' && old.has_password
      ? [countSupers(rights.super ? 1 : -1, id)]
      : []),
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
  const old = await getRow(adminRecords, { id });
  await check?.(old);
  await transact([
    // The claim on an account of the provider stays: its owner must not come back by `oidc.create`.
    removeItem(admins.key({ id }), { expect: unchanged(old) }, refuseConflict(id)),
    ...(old.status === 'enabled' ? countEnabled(-1, old) : []),
    ...countHolders(old.role_ids, -1),
    removeItem(accountClaim(old.account)),
  ]);
}

/** What else ends with a former password. */
interface Ending {
  /** Lowest epoch of tokens that stay; undefined ends all. */
  tokenEpoch?: number | undefined;
  /** Attributes of the record that go. */
  removed?: readonly string[];
  more?: readonly Write[];
}

/**
 * Sets a password; every session of the administrator ends, and an invitation is void.
 *
 * @param old the administrator, who must not have changed
 * @param expect further values of the record that must not have changed
 * @throws AppError `admin.not_found`; `version_conflict` if one of them has
 */
async function setPassword(
  old: Admin,
  password: string,
  expect: Attributes,
  { tokenEpoch, removed = [], more = [] }: Ending = {},
): Promise<void> {
  const password_hash = await hashPassword(password);
  const { remove } = endAll;
  const change = {
    add: endAll.add,
    remove: [
      'has_password',
      ...invitationAttributes,
      ...removed,
      ...(tokenEpoch === undefined ? remove : []),
    ],
    set: { password_hash, token_epoch: tokenEpoch },
    expect,
  };
  await transact([
    changeItem(admins.key(old), change, refuseConflict(old.id)),
    ...countFirstPassword(old),
    ...more,
  ]);
}

/**
 * Sets the password of another administrator; all sessions and tokens end, and so does a login by the provider.
 *
 * @param check throws if the caller may not change this administrator
 * @throws AppError `admin.not_found`; `version_conflict` if status or rights changed meanwhile
 */
export async function setAdminPassword(id: string, password: string, check?: Check): Promise<void> {
  const old = await getRow(adminRecords, { id });
  await check?.(old);
  const { sso_issuer, sso_subject } = old;
  const expect = { ...unchanged(old), sso_issuer, sso_subject };
  await setPassword(old, password, expect, { removed: ssoAttributes, more: removeClaim(old) });
}

/** Frees the account of the provider. */
const removeClaim = ({ sso_issuer, sso_subject }: AdminRecord): Write[] =>
  sso_issuer !== undefined && sso_subject !== undefined
    ? [removeItem(ssoClaim(sso_issuer, sso_subject))]
    : [];

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
  const old = await getRow(adminRecords, { id });
  const { password_hash, session_epoch, token_epoch = session_epoch } = old;
  await assertOldPassword(oldPassword, password_hash);
  await setPassword(old, password, { session_epoch }, keepsTokens ? { tokenEpoch: token_epoch } : {});
}

const refuseConflict = (id: string): Refusal => refuse(id, () => new AppError('version_conflict'));

export const writtenKeys: ListWrittenKeys = () => [
  admins.key({ id: '*' }).pk,
  accountClaim('*').pk,
  ssoClaim('*').pk,
];
