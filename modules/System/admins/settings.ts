import * as z from 'zod/mini';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';

export const login = defineConfigGroup({
  name: 'login',
  title: { zh_CN: '登录', en: 'Login' },
  keys: {
    captcha_enabled: setting({
      schema: z.boolean(),
      default: false,
      description: { zh_CN: '管理员登录需人机验证', en: 'Administrators solve a captcha to log in' },
    }),
  },
});
