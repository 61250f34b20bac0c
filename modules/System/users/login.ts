import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { findCredentialOwner, logInByCredential } from './credential-login.ts';
import { findUserByMobile } from './find-user.ts';
import type { PrefetchedUser } from './prefetch.ts';
import { captchaToken, mobile, smsCode, terminal, type UserLogin } from './schema.ts';
import { checkSmsCode } from './sms-codes.ts';
import { type LoginFrom, startSession } from './start-session.ts';
import { type OpenId, type Terminal, terminals, type WechatApp } from './terminal.ts';
import type { WechatSettings } from './wechat/settings.ts';

/** A code that WeChat gave the client. */
const wechatCode = z.string().check(z.minLength(1), z.maxLength(512));

const fields = z.strictObject({
  terminal,
  scene: z.enum(['password', 'sms', 'phone_auth', 'silent']),
  mobile: z.optional(mobile),
  // Only a length: answers to guesses must not reveal the rules of passwords.
  password: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  code: z.optional(smsCode),
  authPhoneCode: z.optional(wechatCode),
  loginCode: z.optional(wechatCode),
  captcha_token: captchaToken,
});

type LoginRequest = z.output<typeof fields>;

/** Required fields and terminals of each scene (specification, "User login request"). */
const scenes: Record<LoginRequest['scene'], { needs: (keyof LoginRequest)[]; on: readonly Terminal[] }> = {
  password: { needs: ['mobile', 'password'], on: Object.values(terminals) },
  sms: { needs: ['mobile', 'code'], on: Object.values(terminals) },
  phone_auth: { needs: ['authPhoneCode'], on: [terminals.miniProgram] },
  silent: { needs: ['loginCode'], on: [terminals.miniProgram, terminals.officialAccount] },
};

/** Body of a login. Fields that the scene does not need are ignored. */
export const loginBody = fields.check(({ value, issues }) => {
  const { scene } = value;
  const { needs, on } = scenes[scene];
  const refuse = (field: keyof LoginRequest, message: string) =>
    issues.push({ code: 'custom', input: value[field], path: [field], message, params: { scene } });
  if (!on.includes(value.terminal)) refuse('scene', 'rule.scene_terminal');
  for (const field of needs) if (value[field] === undefined) refuse(field, 'rule.scene_needs');
});

/**
 * Logs a user in; every scene except `password` creates the user at the first login.
 *
 * @throws AppError `auth.credentials_invalid`, `auth.code_invalid`, `wechat.failed`; `auth.principal_disabled`, but
 *   only if the credential is correct
 */
export async function logInUser(
  request: LoginRequest,
  wechat: WechatSettings,
  prefetched: PrefetchedUser = {},
  from: LoginFrom = {},
): Promise<UserLogin> {
  const { terminal, loginCode = '' } = request;
  switch (request.scene) {
    case 'password':
      return logInByPassword(request, prefetched, from);
    case 'sms':
      return logInBySms(request, prefetched, from);
    case 'phone_auth':
      return logInByPhone(request, wechat, from);
    case 'silent':
      return logInByCredential({ openId: await readOpenId(terminal, loginCode, wechat), from }, terminal);
  }
}

/** An unknown mobile, a user without a password and a wrong password get the same answer at the same cost. */
async function logInByPassword(
  request: LoginRequest,
  prefetched: PrefetchedUser,
  from: LoginFrom = {},
): Promise<UserLogin> {
  const { terminal, mobile = '', password = '' } = request;
  const record = await (prefetched.user ?? findUserByMobile(mobile));
  const hash = record?.password_hash;
  const { isValid, isStale } = await (hash ? verifyPassword(password, hash) : verifyNothing(password));
  if (!record || !isValid) throw systemErrors.create('auth.credentials_invalid');
  const passwordHash = isStale ? await hashPassword(password) : undefined;
  try {
    return await startSession(record, { terminal, passwordHash, from });
  } catch (error) {
    // The password, the mobile or the status has changed since it was read.
    const isConflict = error instanceof AppError && error.code === 'version_conflict';
    throw isConflict ? systemErrors.create('auth.credentials_invalid', { cause: error }) : error;
  }
}

async function logInBySms(
  request: LoginRequest,
  reads: PrefetchedUser,
  from: LoginFrom = {},
): Promise<UserLogin> {
  const { terminal, mobile = '', code = '' } = request;
  const finding = findCredentialOwner({ mobile }, reads.claim);
  const [checked] = await settleAll([checkSmsCode({ mobile, scene: 'login' }, code, reads.code), finding]);
  const refusal = (cause: unknown) => systemErrors.create('auth.code_invalid', { cause });
  return logInByCredential({ mobile, spend: { ...checked.spend, refusal }, from }, terminal, finding);
}

async function logInByPhone(
  request: LoginRequest,
  wechat: WechatSettings,
  from: LoginFrom,
): Promise<UserLogin> {
  const { terminal, authPhoneCode = '', loginCode } = request;
  const [mobile, openId] = await settleAll([
    openWechat('mini', wechat).then((client) => client.phoneNumber(authPhoneCode)),
    loginCode === undefined ? undefined : readOpenId(terminal, loginCode, wechat),
  ]);
  return logInByCredential({ mobile, openId, from }, terminal);
}

/** Exchanges the login code of a mini-program or an official account for the user's open ID. */
async function readOpenId(terminal: Terminal, code: string, settings: WechatSettings): Promise<OpenId> {
  const app = terminal === terminals.officialAccount ? 'official' : 'mini';
  const { oauthToOpenId, codeToSession } = await openWechat(app, settings);
  return { app, openId: await (app === 'official' ? oauthToOpenId : codeToSession)(code) };
}

/** Loads the client on first use: most logins do not need it. */
async function openWechat(app: WechatApp, settings: WechatSettings) {
  const { createWechat } = await import('./wechat/wechat.ts');
  return createWechat({
    baseUrl: settings.base_url,
    appId: settings[`${app}_app_id`],
    secret: settings[`${app}_secret`],
  });
}
