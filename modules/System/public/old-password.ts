import { verifyPassword } from '#shared/auth/password.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** @throws AppError `request.invalid` for `body.old_password` if the password does not match the hash */
export async function assertOldPassword(oldPassword: string, hash: string): Promise<void> {
  const { isValid } = await verifyPassword(oldPassword, hash);
  if (isValid) return;
  const errors = [{ path: 'body.old_password', message: 'rule.old_password' }];
  throw new AppError('request.invalid', { errors });
}
