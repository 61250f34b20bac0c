import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { describeBinding } from '../../../sso/binding.ts';

export default admin.get({
  summary: { zh_CN: '单点登录关联', en: 'Your binding to the OpenID provider' },
  right: 'login',
  data: z.strictObject({
    issuer: titled({ zh_CN: '签发者', en: 'Issuer' }, z.nullable(z.string())),
    since: titled({ zh_CN: '关联时间', en: 'Bound since' }, z.nullable(z.iso.datetime())),
    has_password: titled({ zh_CN: '已设密码', en: 'Has a password' }, z.boolean()),
    available: titled({ zh_CN: '可用', en: 'Available' }, z.boolean()),
  }),
  errors: ['admin.not_found'],
  handler: ({ adminId }) => describeBinding(adminId),
});
