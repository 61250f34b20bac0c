import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { RawAnswer, rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { checkRequest, verifyClient } from '../../oauth/authorization.ts';
import { refuseToClient, renderFailure } from '../../oauth/failure.ts';
import { isLoopback } from '../../oauth/redirects.ts';
import { authorizeParameters } from '../../oauth/schema.ts';

export default web.get({
  summary: { zh_CN: '请求授权（OAuth 2.1）', en: 'Ask for a connection (OAuth 2.1)' },
  query: z.object(authorizeParameters),
  data: rawAnswer,
  middleware: ['throttle:oauth'],
  errors: ['oauth.invalid_request', 'oauth.invalid_client', 'database.unavailable'],
  renderFailure,
  reference: {
    description: {
      zh_CN:
        '跳转到控制台的授权页面。核实客户端和重定向地址后的其他错误：已登记的客户端和本机地址跳转回客户端，其余由授权页面显示。',
      en: 'Redirects to the consent page of the console. Once client and redirect URI are verified, other faults are redirected to a registered client and to loopback; the consent page shows those of other clients.',
    },
    answers: [
      {
        status: 302,
        description: { zh_CN: '到授权页面或客户端', en: 'To the consent page or to the client' },
        headers: ['location'],
      },
    ],
  },
  handler: async ({ query, texts, request: { event } }) => {
    // Nothing is redirected to what was not verified.
    const verified = await verifyClient(query);
    try {
      checkRequest(query);
    } catch (error) {
      // Anybody can be the client of a document. Such a link must not lead elsewhere without a login (RFC 9700,
      // section 4.11.2): the consent page says what is wrong.
      const isTrusted = verified.client.host === null || isLoopback(verified.redirectUri);
      if (isTrusted) return redirect(refuseToClient(error, verified, query.state, await texts()));
    }
    return redirect(`${environment().publicUrl}/console/oauth/consent?${event.rawQueryString}`);
  },
});

const redirect = (location: string) => new RawAnswer(302, { location, 'cache-control': 'no-store' });
