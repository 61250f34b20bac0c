import { admin } from '#shared/http/route.ts';
import { addClient } from '../../../oauth/register-clients.ts';
import { clientData, newClient } from '../../../oauth/schema.ts';

export default admin.post({
  summary: { zh_CN: '登记 OAuth 客户端', en: 'Register an OAuth client' },
  sensitive: true,
  recentFactor: true,
  body: newClient,
  data: clientData,
  handler: ({ body }) => addClient(body),
});
