import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { ConditionError } from '#shared/db/errors.ts';
import systemErrors from '../errors.ts';
import { assertNewPassword } from '../public/new-password.ts';
import { findMobileClaim } from './find-user.ts';
import type { PrefetchedUser } from './prefetch.ts';
import { captchaToken, mobile, password, smsCode, terminal, type UserLogin } from './schema.ts';
import { checkSmsCode, spendCode } from './sms-codes.ts';
import { type LoginFrom, startFirstSession } from './start-session.ts';

export const registerBody = z.strictObject({
  terminal,
  mobile,
  code: smsCode,
  password,
  captcha_token: captchaToken,
});

/**
 * Creates a user with mobile and password, and logs in.
 *
 * @throws AppError `request.invalid` for a password that is easy to guess; `auth.code_invalid`; `user.mobile_exists`, but only if the code is correct
 */
export async function registerUser(
  { terminal, mobile, code, password }: z.output<typeof registerBody>,
  reads: PrefetchedUser = {},
  from: LoginFrom = {},
): Promise<UserLogin> {
  // First: a code must not be used up for it.
  await assertNewPassword(password, mobile);
  const [checked, owner] = await settleAll([
    checkSmsCode({ mobile, scene: 'register' }, code, reads.code),
    reads.claim ?? findMobileClaim(mobile),
  ]);
  if (owner) {
    await spendCode(checked);
    throw systemErrors.create('user.mobile_exists');
  }
  const passwordHash = await hashPassword(password);
  try {
    // A used code is tried too: if another request just registered with it, the error is `user.mobile_exists`.
    const start = { terminal, spend: checked.spend, unbound: { mobile }, passwordHash, from };
    return await startFirstSession(start, (cause) => systemErrors.create('user.mobile_exists', { cause }));
  } catch (cause) {
    if (cause instanceof ConditionError) throw systemErrors.create('auth.code_invalid', { cause });
    throw cause;
  }
}
