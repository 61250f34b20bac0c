import { systemErrors } from '#modules/System/public/errors.ts';
import { checkSmsCode, spendCode } from '#modules/System/public/sms-codes.ts';
import {
  getUserRecord,
  maskMobile,
  type User,
  type UserRecord,
  userClaims,
  users,
} from '#modules/System/public/user-records.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { versionConflict } from '#shared/db/entity.ts';
import { type Refusal, transact, type Write } from '#shared/db/items.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';

/**
 * Sets or replaces a user's mobile. @throws AppError `auth.code_invalid`; `user.mobile_exists`, but only if the code
 * is correct; `user.not_found`; `version_conflict` if the user's mobile changed meanwhile
 */
export async function bindMobile(id: string, mobile: string, code: string): Promise<User> {
  const [checked, record] = await settleAll([
    checkSmsCode({ mobile, scene: 'bind_mobile' }, code),
    getUserRecord(id),
  ]);
  if (checked.isSpent) throw systemErrors.create('auth.code_invalid');
  const isSpent: Refusal = (cause) => systemErrors.create('auth.code_invalid', { cause });
  const isTaken: Refusal = async (cause) => {
    await spendCode(checked);
    return systemErrors.create('user.mobile_exists', { cause });
  };
  const writes = [
    takeMobile(id, mobile, isTaken),
    { ...checked.spend, refusal: isSpent },
    ...replaceMobile(record, mobile),
  ];
  await transact(writes);
  return { ...record.user, mobile: maskMobile(mobile) };
}

/** The write that claims a mobile; passes if the user already has it. */
const takeMobile = (id: string, mobile: string, refusal: Refusal): Write => ({
  Put: {
    Item: { ...userClaims.mobile(mobile), id },
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: { ':id': id },
  },
  refusal,
});

function replaceMobile({ user, mobile: old }: UserRecord, mobile: string): Write[] {
  const change = changeItem(users.key(user), { set: { mobile }, expect: { mobile: old } }, versionConflict);
  if (old === undefined || old === mobile) return [change];
  return [change, removeItem(userClaims.mobile(old))];
}
