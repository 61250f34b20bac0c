import { urlencoded } from '#shared/http/body/urlencoded.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { answerJson, describeAnswer } from '../../oauth/answer.ts';
import { readCredential, revokeConnection } from '../../oauth/connections.ts';
import { renderFailure } from '../../oauth/failure.ts';
import { revokeAnswer, revokeRequest } from '../../oauth/schema.ts';

export default web.post({
  summary: { zh_CN: '吊销令牌（RFC 7009）', en: 'Revoke a token (RFC 7009)' },
  parser: urlencoded,
  bodyLimitBytes: 16_384,
  body: revokeRequest,
  data: rawAnswer,
  middleware: ['throttle:oauth-token'],
  readCredential,
  audit: 'login',
  errors: ['oauth.invalid_request', 'oauth.invalid_client', 'database.unavailable'],
  renderFailure,
  reference: {
    description: {
      zh_CN: '吊销访问令牌或刷新令牌，两者一同失效；未知的令牌也返回 200。',
      en: 'Revokes an access or refresh token, which ends both. An unknown token is answered 200 too.',
    },
    answers: [describeAnswer(revokeAnswer)],
  },
  handler: async ({ body }) => {
    await revokeConnection(body);
    return answerJson({});
  },
});
