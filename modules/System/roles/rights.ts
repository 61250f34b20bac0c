import {
  isCovered,
  isPermitted,
  type Permission,
  type Rights,
  spellPermission,
} from '#shared/auth/permission.ts';
import type { AdminPrincipal } from '#shared/auth/principal.ts';
import { findRows } from '#shared/db/entity.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { roles } from './role-record.ts';

// No administrator gives or takes rights beyond their own (capabilities, section 1, "No escalation").

/** Creates a check that a caller holds all rights of an administrator. Undefined for a super administrator. */
export function holdsAll(caller: Rights, permissions: readonly Permission[]) {
  if (caller.super) return undefined;
  return async (admin: Pick<AdminPrincipal, 'super' | 'role_ids'>): Promise<void> => {
    const held = await findRows(
      roles,
      admin.role_ids.map((id) => ({ id })),
    );
    assertHolds(caller, { super: admin.super, grants: held.flatMap(({ grants }) => grants) }, permissions);
  };
}

/**
 * Checks that a caller holds every permission that others hold or shall get. Permissions are compared, not grants; a
 * grant of what does not exist is compared itself.
 *
 * @throws AppError `role.exceeds` with the missing permissions
 */
export function assertHolds(caller: Rights, rights: Rights, permissions: readonly Permission[]): void {
  if (caller.super) return;
  const needed = [
    ...permissions.filter((each) => isPermitted(rights, each)),
    ...listDormant(rights, permissions),
  ];
  const missing = needed.filter((each) => !isPermitted(caller, each));
  const paths = rights.super ? ['super'] : missing.map(spellPermission);
  if (paths.length === 0) return;
  const errors = paths.map((path) => ({ path, message: 'rule.permission_missing' }));
  throw systemErrors.create('role.exceeds', { errors });
}

/**
 * Grants that cover nothing now, each as a permission. Grants of a disabled module count again when it is enabled. What
 * they will cover is not known, so it may be sensitive.
 */
const listDormant = ({ grants }: Rights, permissions: readonly Permission[]): Permission[] =>
  grants.flatMap((grant) => {
    const path = grant.slice(0, grant.lastIndexOf(':'));
    const covers = (each: Permission) => isCovered([`${path}:write`], { ...each, sensitive: false });
    if (permissions.some(covers)) return [];
    return [{ path, kind: grant.endsWith(':read') ? 'read' : 'write', sensitive: true }];
  });

/** @throws AppError `request.invalid` for each grant that covers no permission */
export function assertCovering(grants: readonly string[], permissions: readonly Permission[]): void {
  const errors = grants.flatMap((grant, index) =>
    permissions.some((each) => isCovered([grant], each))
      ? []
      : [{ path: `body.grants.${index}`, message: 'rule.grant_empty' }],
  );
  if (errors.length > 0) throw new AppError('request.invalid', { errors });
}
