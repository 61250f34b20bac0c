import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { RawAnswer, rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { checkRequest, invalidRequest, verifyClient } from '../../oauth/authorization.ts';
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
        '跳转到控制台的授权页面。核实客户端和重定向地址后的其他错误：已登记的客户端和本机地址跳转回客户端，其余由授权页面显示。只接受浏览器导航，不接受图片、框架或 fetch。',
      en: 'Redirects to the consent page of the console. Once client and redirect URI are verified, other faults are redirected to a registered client and to loopback; the consent page shows those of other clients. Takes navigations of browsers only, no pictures, frames or `fetch`.',
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
    assertNavigation(event.headers);
    // Any page can lead a browser here. From the time or the answer it would learn which ports of this machine are
    // open, so these documents are read after the login, by the consent page.
    if (await isOnThisMachine(query.client_id)) return toConsent(event.rawQueryString);
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
    return toConsent(event.rawQueryString);
  },
});

/**
 * Refuses what a page loads without leaving: pictures, frames, scripts, `fetch`. Browsers say so in a header that pages
 * cannot set; other clients and old browsers send none. (Not `sec-fetch-mode`: Node sends it, too.)
 *
 * @throws AppError `oauth.invalid_request`
 */
function assertNavigation(headers: Readonly<Record<string, string | undefined>>): void {
  const { 'sec-fetch-dest': destination = 'document' } = headers;
  if (destination !== 'document') throw invalidRequest('sec-fetch-dest', 'rule.oauth_navigation');
}

async function isOnThisMachine(clientId = ''): Promise<boolean> {
  if (!/^https?:/i.test(clientId)) return false;
  return (await import('../../oauth/client-document.ts')).isLocalDocument(clientId);
}

const toConsent = (query: string) => redirect(`${environment().publicUrl}/console/oauth/consent?${query}`);

const redirect = (location: string) => new RawAnswer(302, { location, 'cache-control': 'no-store' });
