import * as z from 'zod/mini';
import { getUserDetail } from '#modules/System/public/user-records.ts';
import { userDetail } from '#modules/System/public/user-schema.ts';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';

export default admin.get({
  summary: { zh_CN: '用户详情', en: 'A user' },
  query: z.object({ id: recordId }),
  data: userDetail,
  errors: ['user.not_found'],
  prefetch: ({ query }) => getUserDetail(query.id),
  handler: async ({ prefetched }) => prefetched,
});
