import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { revokeClient } from '../../../oauth/connections.ts';
import { deleteClient } from '../../../oauth/register-clients.ts';

export default admin.post({
  summary: { zh_CN: '删除 OAuth 客户端及其全部连接', en: 'Delete an OAuth client and end its connections' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({ id: recordId }),
  data: z.null(),
  errors: ['oauth.client_not_found'],
  handler: async ({ body: { id } }) => {
    try {
      await deleteClient(id);
    } finally {
      // After the deletion no new consent is stored, so this finds every connection. It also ends those that an
      // earlier deletion left when it stopped halfway.
      await revokeClient(id);
    }
  },
});
