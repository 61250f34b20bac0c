import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { revokeApiToken } from '../../../admins/api-tokens.ts';

export default admin.post({
  summary: { zh_CN: '吊销自己的 API 令牌', en: 'Revoke one of your API tokens' },
  right: 'login',
  body: z.strictObject({ id: recordId }),
  target: 'api_tokens:{adminId}:{id}',
  data: z.null(),
  handler: ({ adminId, body: { id } }) => revokeApiToken({ adminId, id }),
});
