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

/** Options that a browser takes as they are: `PublicKeyCredentialRequestOptionsJSON`. */
const requestOptions = titled(
  { zh_CN: '通行密钥选项', en: 'Options for a passkey' },
  z.strictObject({
    challenge: titled({ zh_CN: '质询', en: 'Challenge' }, z.string()),
    rpId: titled({ zh_CN: '站点', en: 'Site' }, z.string()),
    allowCredentials: titled(
      { zh_CN: '凭据', en: 'Credentials' },
      z.array(
        z.strictObject({
          id: titled({ zh_CN: '编号', en: 'ID' }, z.string()),
          type: titled({ zh_CN: '类型', en: 'Type' }, z.enum(['public-key'])),
          transports: titled({ zh_CN: '传输方式', en: 'Transports' }, z.array(z.string())),
        }),
      ),
    ),
    userVerification: titled({ zh_CN: '用户验证', en: 'User verification' }, z.enum(['required'])),
    timeout: titled({ zh_CN: '时限（毫秒）', en: 'Time in milliseconds' }, z.number()),
  }),
);

/** The answer of a login that needs a second step. */
export const challengeData = z.strictObject({
  challenge: titled({ zh_CN: '登录质询', en: 'Challenge' }, z.string()),
  methods: titled(
    { zh_CN: '验证方式', en: 'Methods' },
    z.array(z.enum(['totp', 'passkey', 'recovery_code', 'setup'])),
  ),
  passkey: z.optional(requestOptions),
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

/** Recovery codes, shown once. */
export const recoveryCodes = titled({ zh_CN: '恢复码', en: 'Recovery codes' }, z.array(z.string()));
