import { settleAll } from '#shared/async/settle-all.ts';
import { hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type EarlyReads, readsOf } from './early-reads.ts';
import { enter } from './enter.ts';
import { findUserByMobile } from './find-user.ts';
import { logInProven } from './login-proven.ts';
import { findProvenUser } from './proof.ts';
import type { UserLogin } from './schema.ts';
import { checkSmsCode } from './sms-codes.ts';
import type { Terminal } from './terminal.ts';
import { readOpenId, readWechatMobile, type WechatConfig } from './wechat-apps.ts';

/** Ways to log in (specification, "User login request"). */
export const loginScenes = ['password', 'sms', 'phone_auth', 'silent'] as const;
export type LoginScene = (typeof loginScenes)[number];

/** A login whose fields were found fit for its scene and terminal; the fields of other scenes do not count. */
export interface LoginRequest {
  terminal: Terminal;
  scene: LoginScene;
  mobile?: string;
  password?: string;
  code?: string;
  authPhoneCode?: string;
  loginCode?: string;
}

/**
 * Logs a user in; every scene but `password` creates the user on first use.
 *
 * @param reads of the same mobile and scene, where they were made already
 * @throws AppError `auth.credentials_invalid`, `auth.code_invalid`; `auth.principal_disabled` only to who has
 *   the right credential; `wechat.failed`
 */
export async function logInUser(
  request: LoginRequest,
  wechat: WechatConfig,
  reads?: EarlyReads,
): Promise<UserLogin> {
  const { terminal, scene, mobile = '', password = '', code = '' } = request;
  switch (scene) {
    case 'password':
      return logInByPassword(mobile, password, terminal, reads);
    case 'sms':
      return logInBySms(mobile, code, terminal, reads);
    case 'phone_auth':
      return logInByPhone(request, wechat);
    case 'silent':
      return logInProven({ openId: await readOpenId(terminal, request.loginCode ?? '', wechat) }, terminal);
  }
}

/** A mobile that is nobody's, a user without a password and a wrong one cost and answer the same. */
async function logInByPassword(
  mobile: string,
  password: string,
  terminal: Terminal,
  reads?: EarlyReads,
): Promise<UserLogin> {
  const record = await (readsOf(reads, mobile).user ?? findUserByMobile(mobile));
  const hash = record?.password_hash;
  const { isValid, isStale } = await (hash ? verifyPassword(password, hash) : verifyNothing(password));
  if (!record || !isValid) throw new AppError('auth.credentials_invalid');
  const passwordHash = isStale ? await hashPassword(password) : undefined;
  try {
    return await enter(record, { terminal, passwordHash });
  } catch (error) {
    // The password, the mobile or the status changed since they were read.
    if (error instanceof ConditionError) throw new AppError('auth.credentials_invalid', { cause: error });
    throw error;
  }
}

async function logInBySms(
  mobile: string,
  code: string,
  terminal: Terminal,
  reads?: EarlyReads,
): Promise<UserLogin> {
  const begun = readsOf(reads, mobile);
  const finding = findProvenUser({ mobile }, begun.claim);
  const [{ spend }] = await settleAll([checkSmsCode({ mobile, scene: 'login' }, code, begun.code), finding]);
  return logInProven({ mobile, spend }, terminal, finding);
}

async function logInByPhone(request: LoginRequest, wechat: WechatConfig): Promise<UserLogin> {
  const { terminal, authPhoneCode = '', loginCode } = request;
  const [mobile, openId] = await settleAll([
    readWechatMobile(authPhoneCode, wechat),
    loginCode === undefined ? undefined : readOpenId(terminal, loginCode, wechat),
  ]);
  return logInProven({ mobile, openId }, terminal);
}
