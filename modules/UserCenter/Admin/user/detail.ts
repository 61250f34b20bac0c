import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { getUserDetail } from '#shared/users/find-user.ts';
import { userDetail, userId } from '#shared/users/schema.ts';

export default admin.get({
  summary: { zh_CN: '用户详情', en: 'A user' },
  query: z.object({ id: userId }),
  data: userDetail,
  errors: ['user.not_found'],
  prefetch: ({ id }) => getUserDetail(id),
  handler: async ({ prefetched }) => prefetched,
});
