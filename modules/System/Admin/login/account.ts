import * as z from 'zod/mini';
import { loginAdmin } from '#shared/auth/admin-login.ts';
import { admin } from '#shared/http/route.ts';
import { adminData } from '../../data/admin-schema.ts';

export default admin.openPost({
  summary: { zh_CN: '管理员登录', en: 'Log an administrator in' },
  // No rule but a length: what an account or password must look like is nothing a guess should learn.
  body: z.strictObject({
    account: z.string().check(z.minLength(1), z.maxLength(128)),
    password: z.string().check(z.minLength(1), z.maxLength(128)),
  }),
  data: z.strictObject({ token: z.string(), expires_at: z.iso.datetime(), admin: adminData }),
  handler: ({ body, request }) => loginAdmin(body.account, body.password, request.address),
});
