import { randomInt, randomUUID } from 'node:crypto';
import { createUser, createUserId, type NewUser } from '#modules/System/users/create-user.ts';
import { logInUser } from '#modules/System/users/login.ts';
import { userProfiles } from '#modules/System/users/profile.ts';
import { type CodePurpose, issueSmsCode } from '#modules/System/users/sms-codes.ts';
import type { WechatSettings } from '#modules/System/users/wechat/settings.ts';
import { authenticate } from '#shared/auth/authenticate.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import { requireProfile } from '#shared/auth/profiles.ts';
import { getItem, transact, updateItem } from '#shared/db/items.ts';
import { keys, setAttributes } from '../../../../support/keys.ts';

export const password = 'correct horse battery';
export const h5 = 3;

/** Settings without WeChat. */
export const noWechat: WechatSettings = {
  base_url: '',
  mini_app_id: '',
  mini_secret: '',
  official_app_id: '',
  official_secret: '',
};

/** A new mobile. */
export const newMobile = (): string => `13${randomInt(10 ** 9, 10 ** 10 - 1)}`.slice(0, 11);
export const newOpenId = (): string => `o${randomUUID()}`;

/** Stores a code as sending does, and returns it. */
export async function giveCode(mobile: string, scene: CodePurpose['scene']): Promise<string> {
  const { code, write } = issueSmsCode({ mobile, scene });
  await transact([write]);
  return code;
}

/** Another code of six digits. */
export const wrongCodeFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Moves the end of a stored code into the past. */
export async function expireCode(mobile: string, scene: CodePurpose['scene']): Promise<void> {
  const expires_at = Math.floor(Date.now() / 1000) - 1;
  await updateItem({ Key: { ...keys.smsCode(scene, mobile) }, ...setAttributes({ expires_at }) });
}

export const newUser = (rest: Partial<NewUser> = {}) =>
  createUser({ id: createUserId(), terminal: h5, ...rest });

/** A user with a password and a mobile. */
export async function newUserWithPassword(mobile = newMobile()) {
  const user = await newUser({ mobile, passwordHash: await hashPassword(password) });
  return { id: user.id, mobile };
}

/** The user of a token, as routes find it. */
export async function findCaller(token: string) {
  const authorization = `Bearer ${token}`;
  const { principal, ...caller } = await authenticate(authorization, 'user', userPrincipals);
  const profile = await userProfiles.readOwn({ event: { headers: { authorization } } });
  return { ...caller, principal: requireProfile(profile, principal) };
}

/** The stored ID behind a mobile. */
export const ownerOf = async (mobile: string) => (await getItem(keys.userMobile(mobile)))?.id;

/** Logs in by password; answers the token and its session. */
export async function logIn(mobile: string, secret = password) {
  const login = { terminal: h5, scene: 'password', mobile, password: secret } as const;
  const { token } = await logInUser(login, noWechat);
  return { token, sessionId: (await findCaller(token)).session.id };
}
