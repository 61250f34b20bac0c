import {
  formatPermission,
  isCovered,
  isPermitted,
  type Permission,
  type Rights,
} from '#shared/auth/permission.ts';
import type { AdminPrincipal } from '#shared/auth/principal.ts';
import { findRows } from '#shared/db/entity.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { roles } from './role-record.ts';

// No administrator gives or takes rights beyond their own (capabilities, section 1, "No escalation").

/** Whether nothing limits the caller: a token with grants limits a super administrator too. */
const holdsEverything = (caller: Rights): boolean => caller.super && !caller.tokenGrants;

/** Creates a check that a caller holds all rights of an administrator. Undefined for one who holds everything. */
export function holdsAll(caller: Rights, permissions: readonly Permission[]) {
  if (holdsEverything(caller)) return undefined;
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
 * grant that covers none is compared itself.
 *
 * @throws AppError `role.exceeds` with the missing permissions
 */
export function assertHolds(caller: Rights, rights: Rights, permissions: readonly Permission[]): void {
  if (holdsEverything(caller)) return;
  const missing = permissions.filter((each) => isPermitted(rights, each) && !isPermitted(caller, each));
  const unheld = listDormant(rights, permissions).filter((each) => !holdsGrant(caller, each));
  const paths = rights.super ? ['super'] : [...missing.map(formatPermission), ...new Set(unheld)];
  if (paths.length === 0) return;
  const errors = paths.map((path) => ({ path, message: 'rule.permission_missing' }));
  throw systemErrors.create('role.exceeds', { errors });
}

/** Grants that cover nothing now. Those of a disabled module count again when it is enabled. */
const listDormant = ({ grants }: Rights, permissions: readonly Permission[]): string[] =>
  grants.filter((grant) => !permissions.some((each) => isCovered([grant], each)));

/** Whether a caller holds this very grant: what it will cover is not known, and a shorter one may not cover all of it. */
const holdsGrant = ({ grants, tokenGrants = grants }: Rights, grant: string): boolean =>
  [grants, tokenGrants].every((held) =>
    held.some((each) => each === grant || each === grant.replace(/:read$/, ':write')),
  );

/** @throws AppError `request.invalid` for each grant that covers no permission */
export function assertCovering(grants: readonly string[], permissions: readonly Permission[]): void {
  const errors = grants.flatMap((grant, index) =>
    permissions.some((each) => isCovered([grant], each))
      ? []
      : [{ path: `body.grants.${index}`, message: 'rule.grant_empty' }],
  );
  if (errors.length > 0) throw new AppError('request.invalid', { errors });
}
