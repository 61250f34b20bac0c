import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { revokeClient } from '../../../oauth/connections.ts';
import { clientId } from '../../../oauth/schema.ts';

export default admin.post({
  summary: { zh_CN: '吊销 OAuth 客户端的全部连接', en: 'End all connections of an OAuth client' },
  sensitive: true,
  recentFactor: true,
  /** A registered ID, or the URL of a metadata document. */
  body: z.strictObject({ id: titled({ zh_CN: '客户端', en: 'Client' }, clientId) }),
  data: z.null(),
  handler: ({ body: { id } }) => revokeClient(id),
});
