import { verifyPassword } from '#shared/auth/password.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { getAdminItem, setAdminPassword } from './admins.ts';

/**
 * Sets the password of an administrator who knows the old one; every session of the administrator ends.
 *
 * @throws AppError `request.invalid` for `body.old_password`; `admin.not_found`; `version_conflict` when the
 *   old one was changed meanwhile
 */
export async function changeOwnPassword(id: string, password: string, oldPassword: string): Promise<void> {
  const { password_hash, session_epoch } = await getAdminItem(id);
  const { isValid } = await verifyPassword(oldPassword, String(password_hash));
  if (!isValid) {
    throw new AppError('request.invalid', {
      errors: [{ path: 'body.old_password', message: 'rule.old_password' }],
    });
  }
  await setAdminPassword(id, password, Number(session_epoch));
}
