import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { apiTokenId, revokeApiToken } from '../../../admins/api-tokens.ts';

export default admin.post({
  summary: { zh_CN: '吊销自己的 API 令牌', en: 'Revoke an API token of oneself' },
  body: z.strictObject({ id: apiTokenId }),
  data: z.null(),
  handler: async ({ adminId, body: { id } }) => {
    await revokeApiToken({ adminId, id });
    return null;
  },
});
