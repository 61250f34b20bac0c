import * as z from 'zod/mini';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { createdAt, status } from '#shared/schema/fields.ts';
import { secret } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { storedUser } from './profile.ts';
import { terminals } from './terminal.ts';

/** A mobile of mainland China without country code. */
export const mobile = titled(
  { zh_CN: '手机号', en: 'Mobile' },
  z.string().check(z.regex(/^1[3-9]\d{9}$/, { error: 'rule.mobile' })),
);
export const smsCode = secret(z.string().check(z.regex(/^\d{6}$/, { error: 'rule.sms_code' })));
/** Needed if the captcha is asked for. */
export const captchaToken = z.optional(secret(z.string().check(z.maxLength(1024))));
/** Not trimmed: spaces count. */
export const password = secret(z.string().check(z.minLength(8), z.maxLength(128)));
export const nickname = titled({ zh_CN: '昵称', en: 'Nickname' }, text(1, 50));
export const avatar = titled({ zh_CN: '头像', en: 'Avatar', media: 'image' }, mediaUrl(z.maxLength(500)));
export { status };

/** A number, or the same number as text. */
export const terminal = titled(
  { zh_CN: '终端', en: 'Terminal', alsoAccepts: ['1', '2', '3'] },
  z.pipe(
    z.transform((given) => (typeof given === 'string' && /^[1-9]$/.test(given) ? Number(given) : given)),
    z.literal(Object.values(terminals)),
  ),
);

/** A user with a masked mobile. */
export const userData = z
  .strictObject({
    ...storedUser.shape,
    id: recordId,
    sn: titled({ zh_CN: '用户编号', en: 'User number' }, z.string().check(z.regex(/^[1-9]\d{8}$/))),
    mobile: titled(
      { zh_CN: '手机号', en: 'Mobile' },
      z.nullable(z.string().check(z.regex(/^1[3-9]\d\*{4}\d{4}$/))),
    ),
    avatar,
    created_at: createdAt,
  })
  .register(components, { id: 'User' });

/** A user for operators. */
export const userDetail = z
  .extend(userData, {
    last_login_at: titled({ zh_CN: '最后登录时间', en: 'Last login' }, z.nullable(z.iso.datetime())),
    terminal: titled(
      {
        zh_CN: '最后登录终端',
        en: 'Terminal of the last login',
        options: {
          1: { zh_CN: '小程序', en: 'Mini program' },
          2: { zh_CN: '公众号', en: 'Official account' },
          3: { zh_CN: 'H5', en: 'Mobile web' },
        },
      },
      z.nullable(z.literal(Object.values(terminals))),
    ),
  })
  .register(components, { id: 'UserDetail' });
export type UserDetail = z.infer<typeof userDetail>;

/** Answer of a login. */
export const loginData = z
  .strictObject({
    token: z.string(),
    /** Absolute end of the session. */
    expires_at: z.iso.datetime(),
    user: userData,
    /** Whether this login created the user. */
    is_new: z.boolean(),
  })
  .register(components, { id: 'UserLogin' });
export type UserLogin = z.infer<typeof loginData>;
