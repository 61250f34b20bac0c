import type { Permission, Rights } from '#shared/auth/permission.ts';
import { tokenEpochOf } from '#shared/auth/principal.ts';
import { getRow } from '#shared/db/entity.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { holdsAll } from '../roles/rights.ts';
import { adminRecords } from './admin-record.ts';

// Tokens and connections are listed and ended by their owner, and by who may change the owner. An API token is never the
// owner: one with few grants must not end the others.

/** The owner of tokens, if it is not the caller. */
export const tokenOwner = titled({ zh_CN: '所有者', en: 'Owner' }, recordId);

export const ofOthers = {
  zh_CN: '登录后管理自己的无需权限。带 `owner_id` 时为该管理员的，须有此权限，并拥有该管理员的全部权限。',
  en: 'Your own need no permission with a login. With `owner_id` it is about those of that administrator: it needs this permission, and all rights of that administrator.',
};

export interface Manager {
  admin: Rights;
  permissions: readonly Permission[];
  requirePermission(): void;
}

/**
 * Checks that a caller may manage the tokens of another administrator.
 *
 * @returns the lowest epoch of the other's valid tokens
 * @throws AppError `auth.permission_denied`, `admin.not_found`, `role.exceeds`
 */
export async function assertManageable(ownerId: string, caller: Manager): Promise<number> {
  caller.requirePermission();
  const owner = await getRow(adminRecords, { id: ownerId });
  await holdsAll(caller.admin, caller.permissions)?.(owner);
  return tokenEpochOf({ sessionEpoch: owner.session_epoch, tokenEpoch: owner.token_epoch });
}
