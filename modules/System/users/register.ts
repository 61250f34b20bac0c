import { settleAll } from '#shared/async/settle-all.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { ClaimTakenError } from './create-user.ts';
import { type EarlyReads, readsOf } from './early-reads.ts';
import { enterFirst } from './enter.ts';
import { findMobileClaim } from './find-user.ts';
import type { UserLogin } from './schema.ts';
import { checkSmsCode, spendCode } from './sms-codes.ts';
import type { Terminal } from './terminal.ts';

export interface Registration {
  terminal: Terminal;
  mobile: string;
  code: string;
  password: string;
}

/**
 * Creates a user with mobile and password, and logs in.
 *
 * @param reads of the same mobile and a code to register, where they were made already
 * @throws AppError `auth.code_invalid`; `user.mobile_exists` only to who has the right code
 */
export async function registerUser(registration: Registration, reads?: EarlyReads): Promise<UserLogin> {
  const { terminal, mobile, code, password } = registration;
  const begun = readsOf(reads, mobile);
  const [checked, owner] = await settleAll([
    checkSmsCode({ mobile, scene: 'register' }, code, begun.code),
    begun.claim ?? findMobileClaim(mobile),
  ]);
  if (owner) {
    await spendCode(checked);
    throw systemErrors.create('user.mobile_exists');
  }
  const passwordHash = await hashPassword(password);
  try {
    // A code that is spent already goes on too: the condition tells whether a user came of it meanwhile.
    return await enterFirst({ terminal, spend: checked.spend, unbound: { mobile }, passwordHash });
  } catch (cause) {
    if (cause instanceof ClaimTakenError) throw systemErrors.create('user.mobile_exists', { cause });
    if (cause instanceof ConditionError) throw new AppError('auth.code_invalid', { cause });
    throw cause;
  }
}
