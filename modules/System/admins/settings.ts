import * as z from 'zod/mini';
import { titled } from '#shared/schema/titled.ts';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';

/** Whether administrators may, or must, have a second factor. */
export const twoFactorMode = titled(
  {
    zh_CN: '要求',
    en: 'Rule',
    options: {
      off: { zh_CN: '不可启用', en: 'None can be set up' },
      optional: { zh_CN: '自愿启用', en: 'Each decides' },
      required: { zh_CN: '必须启用', en: 'Needed to log in' },
    },
  },
  z.enum(['off', 'optional', 'required']),
);

export const login = defineConfigGroup({
  name: 'login',
  title: { zh_CN: '登录', en: 'Login' },
  keys: {
    captcha_enabled: setting({
      schema: z.boolean(),
      default: false,
      description: { zh_CN: '管理员登录需人机验证', en: 'Administrators solve a captcha to log in' },
    }),
    // Those who have a factor are always asked for it: no setting makes their login weaker.
    two_factor: setting({
      schema: twoFactorMode,
      default: 'off',
      description: {
        zh_CN: '管理员两步验证；已启用的管理员始终需要验证',
        en: 'Second factor of administrators; those who have one are always asked for it',
      },
    }),
  },
});
