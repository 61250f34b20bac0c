import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { isOldLogin } from '../../admins/confirm-password.ts';
import { mcpScope } from '../../admins/token-scopes.ts';
import { checkRequest, verifyClient } from '../../oauth/authorization.ts';
import { isLoopback } from '../../oauth/redirects.ts';
import { authorizationErrors, authorizeParameters } from '../../oauth/schema.ts';

export default admin.get({
  summary: { zh_CN: '待确认的连接请求', en: 'Read a request to connect' },
  right: 'login',
  // It may fetch the URL that the caller gives as client ID.
  middleware: ['throttle:oauth-consent'],
  query: z.object(authorizeParameters),
  data: z.strictObject({
    client: titled(
      { zh_CN: '客户端', en: 'Client' },
      z.strictObject({
        id: titled({ zh_CN: '编号', en: 'ID', type: 'id' }, z.string()),
        /** As the client calls itself. */
        name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
        /** Host of the metadata document; null for a registered client. */
        host: titled({ zh_CN: '主机', en: 'Host' }, z.nullable(z.string())),
      }),
    ),
    redirect_host: titled({ zh_CN: '重定向主机', en: 'Redirect host' }, z.string()),
    is_loopback: titled({ zh_CN: '本机', en: 'On this computer' }, z.boolean()),
    scopes: titled({ zh_CN: '范围', en: 'Scopes' }, z.array(mcpScope)),
    /** Whether to approve needs the password, because the login is old. */
    needs_password: titled({ zh_CN: '须提供密码', en: 'Needs the password' }, z.boolean()),
  }),
  errors: authorizationErrors,
  handler: async ({ query, passwordShownAt }) => {
    const { client, redirectUri } = await verifyClient(query);
    const { scopes } = checkRequest(query);
    const { id, name, host } = client;
    return {
      client: { id, name, host },
      redirect_host: new URL(redirectUri).host,
      is_loopback: isLoopback(redirectUri),
      scopes,
      needs_password: isOldLogin(passwordShownAt),
    };
  },
});
