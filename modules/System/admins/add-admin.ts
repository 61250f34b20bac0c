import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { hashPassword } from '#shared/auth/password.ts';
import { putRow, takeClaim } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import systemErrors from '../errors.ts';
import { countHolders } from '../roles/role-record.ts';
import { type Admin, type AdminRecord, accountClaim, adminRecords, admins } from './admin-record.ts';
import { countEnabled } from './admin-writes.ts';

export interface NewAdmin {
  account: string;
  name: string;
  /** Without one, only an invitation or single sign-on leads to a login. */
  password?: string;
  avatar?: string;
  /** @default false */
  isSuper?: boolean;
  /** IDs of roles. */
  roleIds?: string[];
}

/**
 * @param more writes of the same transaction, which may need the new ID
 * @param attributes further ones of the record
 * @throws AppError `admin.account_exists`, `role.not_found`
 */
export async function addAdmin(
  { account, name, password, avatar = '', isSuper = false, roleIds = [] }: NewAdmin,
  more: readonly Write[] | ((id: string) => readonly Write[]) = [],
  attributes: Partial<AdminRecord> = {},
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
    has_password: password !== undefined,
    last_login_at: null,
    last_login_ip: null,
    created_at: new Date().toISOString(),
  };
  const record = {
    ...admin,
    // A random one that is not known fits no login, at the same cost as a wrong password.
    password_hash: await hashPassword(password ?? randomBytes(32).toString('base64url')),
    session_epoch: 1,
    ...attributes,
  };
  const isTaken = () => systemErrors.create('admin.account_exists');
  await transact([
    takeClaim(accountClaim(account), id, isTaken),
    putRow(adminRecords, record),
    ...countEnabled(1, admin),
    ...countHolders(roleIds, 1),
    ...(typeof more === 'function' ? more(id) : more),
  ]);
  return admin;
}

/** A new administrator: no other is changed. */
export const writtenKeys: ListWrittenKeys = () => [
  { keys: admins.key({ id: '*' }).pk, actions: ['PutItem'] },
  { keys: accountClaim('*').pk, actions: ['PutItem'] },
];
