import * as z from 'zod/mini';
import { type LoginScene, loginScenes } from './login.ts';
import { mobile, password, smsCode } from './schema.ts';
import { type Terminal, terminals } from './terminal.ts';

const terminalOf = { 1: terminals.miniProgram, 2: terminals.officialAccount, 3: terminals.h5 } as const;

/** A number, or the same as a string. */
export const terminal = z.pipe(
  z.literal([1, 2, 3, '1', '2', '3']),
  z.transform((value): Terminal => terminalOf[value]),
);

/** A code that WeChat gave the client; what is in it is WeChat's business. */
const wechatCode = z.string().check(z.minLength(1), z.maxLength(512));

/** Fields that a scene cannot do without. */
const neededFields = {
  password: ['mobile', 'password'],
  sms: ['mobile', 'code'],
  phone_auth: ['authPhoneCode'],
  silent: ['loginCode'],
} as const satisfies Record<LoginScene, readonly string[]>;

/** Terminals on which a scene exists. */
const fittingTerminals: Record<LoginScene, readonly Terminal[]> = {
  password: Object.values(terminals),
  sms: Object.values(terminals),
  phone_auth: [terminals.miniProgram],
  silent: [terminals.miniProgram, terminals.officialAccount],
};

const fields = z.strictObject({
  terminal,
  scene: z.enum(loginScenes),
  mobile: z.optional(mobile),
  // No rule but a length: what a password must look like is nothing a guess should learn.
  password: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  code: z.optional(smsCode),
  authPhoneCode: z.optional(wechatCode),
  loginCode: z.optional(wechatCode),
});

/** Body of a user's login: what a scene needs is there, and the scene is one of the terminal's. */
export const loginBody = fields.check(({ value, issues }) => {
  const { scene, terminal } = value;
  const refuse = (field: keyof typeof value, message: string) =>
    issues.push({ code: 'custom', input: value[field], path: [field], message, params: { scene } });
  if (!fittingTerminals[scene].includes(terminal)) refuse('scene', 'rule.scene_terminal');
  for (const field of neededFields[scene]) if (value[field] === undefined) refuse(field, 'rule.scene_needs');
});

export const registerBody = z.strictObject({ terminal, mobile, code: smsCode, password });

export const sendCodeBody = z.strictObject({
  mobile,
  scene: z.enum(['login', 'register', 'bind_mobile']),
  captcha_token: z.optional(z.string().check(z.maxLength(1024))),
});
