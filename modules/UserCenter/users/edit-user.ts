import { systemErrors } from '#modules/System/public/errors.ts';
import { getUser } from '#modules/System/public/user-records.ts';
import { type Status, type UserPrincipal, userPrincipals } from '#shared/auth/principal.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { setAttributes } from '#shared/db/update.ts';

/** What users may change of themselves. */
export type ProfileChanges = Partial<Pick<UserPrincipal, 'nickname' | 'avatar'>>;

/** Changes a profile; without changes it is answered as it is. @throws AppError `user.not_found` */
export async function editProfile(id: string, changes: ProfileChanges): Promise<UserPrincipal> {
  if (Object.values(changes).every((value) => value === undefined)) return getUser(id);
  return update(id, { ...setAttributes(changes), ConditionExpression: 'attribute_exists(pk)' });
}

/**
 * Enables or disables a user; disabling ends every session for good.
 *
 * @throws AppError `user.not_found`
 */
export async function setUserStatus(id: string, status: Status): Promise<UserPrincipal> {
  const isDisabling = status === 'disabled';
  const { UpdateExpression, ...rest } = setAttributes({ status });
  return update(id, {
    ...rest,
    UpdateExpression: isDisabling ? `${UpdateExpression} ADD session_epoch :one` : UpdateExpression,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ...rest.ExpressionAttributeValues, ...(isDisabling && { ':one': 1 }) },
  });
}

type Change = Omit<NonNullable<Write['Update']>, 'Key'>;

async function update(id: string, change: Change): Promise<UserPrincipal> {
  try {
    await transact([{ Update: { ...change, Key: { ...keys.user(id) } } }]);
  } catch (cause) {
    throw cause instanceof ConditionError ? systemErrors.create('user.not_found', { cause }) : cause;
  } finally {
    await userPrincipals.invalidate([id]);
  }
  return getUser(id);
}
