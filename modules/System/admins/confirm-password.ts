import { verifyPassword } from '#shared/auth/password.ts';
import { getRow } from '#shared/db/entity.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type AdminRecord, adminRecords } from './admin-record.ts';

/** How long a login is as good as the password, in seconds. */
const freshSeconds = 600;

/** Whether a login is so old that consent needs the password. @param passwordShownAt Unix seconds */
export const isOldLogin = (passwordShownAt: number): boolean =>
  Date.now() / 1000 - passwordShownAt > freshSeconds;

/**
 * Checks the password of an administrator who is logged in: a login alone must not create what outlives it. Its route
 * needs `throttle:password`.
 *
 * @returns the administrator's epoch, for what is created. It is read with the password, so a later reset ends that too
 * @throws AppError `request.invalid` for `body.password`
 */
export const confirmPassword = async (id: string, password = ''): Promise<number> =>
  (await readWithPassword(id, password)).session_epoch;

/** As {@link confirmPassword}. @returns the stored administrator */
export async function readWithPassword(id: string, password: string): Promise<AdminRecord> {
  const record = await getRow(adminRecords, { id });
  await assertPassword(record, password);
  return record;
}

/** Checks the password of an administrator who was read. @throws as {@link confirmPassword} */
export async function assertPassword(record: AdminRecord, password: string): Promise<void> {
  const { isValid } = await verifyPassword(password, record.password_hash);
  if (isValid) return;
  throw new AppError('request.invalid', {
    errors: [{ path: 'body.password', message: 'rule.own_password' }],
  });
}
