import * as z from 'zod/mini';
import { secret } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { adminData } from '../admins/schema.ts';

const expiresAt = titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime());

/** The answer of a login. */
export const loginData = z.strictObject({
  token: titled({ zh_CN: '令牌', en: 'Token' }, z.string()),
  expires_at: expiresAt,
  admin: titled({ zh_CN: '管理员', en: 'Administrator' }, adminData),
});

/** The answer of a login that needs a second step. */
export const challengeData = z.strictObject({
  challenge: titled({ zh_CN: '登录质询', en: 'Challenge' }, z.string()),
  methods: titled({ zh_CN: '验证方式', en: 'Methods' }, z.array(z.enum(['totp', 'recovery_code', 'setup']))),
  expires_at: expiresAt,
});

/** The challenge of a login. */
export const challenge = titled(
  { zh_CN: '登录质询', en: 'Challenge' },
  secret(z.string().check(z.minLength(1), z.maxLength(512))),
);

/** A code of the authenticator app, or a recovery code. */
export const factorCode = titled(
  { zh_CN: '验证码或恢复码', en: 'Code of the app, or a recovery code' },
  secret(z.string().check(z.minLength(1), z.maxLength(32))),
);

/** A secret that was created, encrypted. */
export const setup = titled(
  { zh_CN: '启用凭据', en: 'Set-up' },
  secret(z.string().check(z.minLength(1), z.maxLength(512))),
);

/** A secret that is to be set up. It is shown once. */
export const setUpData = z.strictObject({
  secret: titled({ zh_CN: '密钥', en: 'Secret' }, z.string()),
  uri: titled({ zh_CN: '二维码内容', en: 'Content of the QR code' }, z.string()),
  setup,
  expires_at: expiresAt,
});

/** Recovery codes, shown once. */
export const recoveryCodes = titled({ zh_CN: '恢复码', en: 'Recovery codes' }, z.array(z.string()));
