import { systemErrors } from '#modules/System/public/errors.ts';
import { checkSmsCode, spendCode } from '#modules/System/public/sms-codes.ts';
import { getUserRecord, type UserRecord } from '#modules/System/public/user-records.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { toUser, type UserPrincipal, userPrincipals } from '#shared/auth/principal.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

/**
 * Gives a user another mobile, or the first.
 *
 * @throws AppError `auth.code_invalid`; `user.mobile_exists` only to who has the right code; `user.not_found`;
 *   `version_conflict` when the user's mobile changed meanwhile
 */
export async function bindMobile(id: string, mobile: string, code: string): Promise<UserPrincipal> {
  const [checked, record] = await settleAll([
    checkSmsCode({ mobile, scene: 'bind_mobile' }, code),
    getUserRecord(id),
  ]);
  if (checked.isSpent) throw new AppError('auth.code_invalid');
  try {
    await transact([
      checked.spend,
      takeMobile(id, mobile),
      replaceMobile(record, mobile),
      ...letGo(record, mobile),
    ]);
  } catch (cause) {
    if (!(cause instanceof ConditionError)) throw cause;
    if (cause.failed.includes(1)) {
      await spendCode(checked);
      throw systemErrors.create('user.mobile_exists', { cause });
    }
    throw new AppError(cause.failed.includes(0) ? 'auth.code_invalid' : 'version_conflict', { cause });
  } finally {
    await userPrincipals.invalidate([id]);
  }
  return toUser({ ...record.user, mobile });
}

const takeMobile = (id: string, mobile: string): Write => ({
  Put: {
    Item: { ...keys.userMobile(mobile), id },
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: { ':id': id },
  },
});

const replaceMobile = ({ user, mobile: old }: UserRecord, mobile: string): Write => ({
  Update: {
    Key: { ...keys.user(user.id) },
    UpdateExpression: 'SET mobile = :mobile',
    ConditionExpression:
      old === undefined ? 'attribute_exists(pk) AND attribute_not_exists(mobile)' : 'mobile = :old',
    ExpressionAttributeValues: { ':mobile': mobile, ...(old !== undefined && { ':old': old }) },
  },
});

function letGo({ mobile: old }: UserRecord, mobile: string): Write[] {
  if (old === undefined || old === mobile) return [];
  return [{ Delete: { Key: { ...keys.userMobile(old) } } }];
}
