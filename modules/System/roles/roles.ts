import { ulid } from 'ulid';
import {
  assertVersion,
  editRow,
  findRow,
  getRow,
  listPartition,
  putRow,
  removeRow,
  versionConflict,
} from '#shared/db/entity.ts';
import { type Key, transact, type Write } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { roles } from './role-record.ts';
import type { Role } from './schema.ts';

/** Most roles in all. */
export const maxRoles = 200;
const counter: Key = { pk: 'COUNTER#ROLE', sk: '0' };

/** @throws AppError `role.not_found` */
export const getRole = (id: string): Promise<Role> => getRow(roles, { id });

/** All roles, oldest first. */
export const listRoles = (): Promise<Role[]> => listPartition(roles, roles.key({ id: '' }).pk);

type NewRole = Pick<Role, 'name'> & Partial<Pick<Role, 'remark'>> & { grants: readonly string[] };

/** @throws AppError `request.invalid` at `body` if there are {@link maxRoles} already */
export async function addRole(input: NewRole): Promise<Role> {
  const role = createRole(input);
  await transact(putRoles([role]));
  return role;
}

export function createRole({ name, remark = '', grants }: NewRole): Role {
  const now = new Date().toISOString();
  return {
    id: ulid(),
    name,
    remark,
    grants: [...new Set(grants)],
    version: 1,
    admin_count: 0,
    created_at: now,
    updated_at: now,
  };
}

/** The writes that store new roles. They fail if there would be more than {@link maxRoles}. */
export function putRoles(added: readonly Role[]): Write[] {
  const isFull = (cause: unknown) => {
    const errors = [{ path: 'body', message: 'rule.role_limit' }];
    return new AppError('request.invalid', { cause, errors, params: { max: maxRoles } });
  };
  const { length } = added;
  if (length === 0) return [];
  return [
    ...added.map((role) => putRow(roles, role)),
    changeItem(counter, { add: { count: length }, atMost: { count: maxRoles - length } }, isFull),
  ];
}

/** @throws AppError `role.not_found`, `version_conflict` */
export async function editRole(
  old: Role,
  version: number,
  changes: Partial<Pick<Role, 'name' | 'remark' | 'grants'>>,
): Promise<Role> {
  assertVersion(old, version);
  const { write, row } = editRow(roles, old, changes);
  await transact([write]);
  return row;
}

/**
 * @param known the role, if it was read
 * @throws AppError `role.not_found`; `role.in_use` with the number of administrators who have it; `version_conflict`
 */
export async function deleteRole(id: string, known?: Role): Promise<void> {
  const old = known ?? (await getRole(id));
  const refusal = async () => {
    const found = await findRow(roles, old);
    if (!found) return roles.missing();
    if (found.admin_count === 0) return versionConflict();
    return systemErrors.create('role.in_use', { params: { count: found.admin_count } });
  };
  await transact([
    removeRow(roles, old, { expect: { admin_count: 0 }, refusal }),
    changeItem(counter, { add: { count: -1 } }),
  ]);
}

export const writtenKeys: ListWrittenKeys = () => [roles.key({ id: '' }).pk, counter.pk];
