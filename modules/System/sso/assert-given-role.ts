import { readSettings } from '#shared/settings/store.ts';
import { holdsAll } from '../roles/rights.ts';
import { getRole } from '../roles/roles.ts';
import { oidc } from './settings.ts';

/** Settings that decide who gets the role of `oidc.create`. */
const decisive = ['create', 'issuer', 'client_id', 'client_secret'];

/**
 * Checks that who changes the login provider has all rights of the role that its people get at their first login, also if
 * the change names another setting: the role is given as others are.
 *
 * @param values of the change
 * @throws AppError `role.exceeds`, `role.not_found`
 */
export async function assertGivenRole(
  caller: Parameters<typeof holdsAll>[0],
  permissions: Parameters<typeof holdsAll>[1],
  values: Record<string, unknown>,
): Promise<void> {
  if (!decisive.some((name) => name in values)) return;
  const create = String(values.create ?? (await readSettings(oidc)).create);
  if (create === '') return;
  const { id } = await getRole(create);
  await holdsAll(caller, permissions)?.({ role_ids: [id], super: false });
}
