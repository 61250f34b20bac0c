import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { twoFactorMode } from '../../../admins/settings.ts';
import { describeFactor, passkeyData } from '../../../factors/own-factor.ts';

export default admin.get({
  summary: { zh_CN: '自己的两步验证', en: 'Your second factor' },
  right: 'login',
  data: z.strictObject({
    mode: twoFactorMode,
    since: titled({ zh_CN: '应用启用时间', en: 'App set up' }, z.nullable(z.iso.datetime())),
    passkeys: titled({ zh_CN: '通行密钥', en: 'Passkeys' }, z.array(passkeyData)),
    codes_left: titled({ zh_CN: '剩余恢复码', en: 'Recovery codes left' }, z.number()),
  }),
  errors: ['admin.not_found'],
  handler: ({ adminId }) => describeFactor(adminId),
});
