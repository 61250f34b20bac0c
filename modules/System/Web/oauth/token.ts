import { urlencoded } from '#shared/http/body/urlencoded.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import systemErrors from '../../errors.ts';
import { answerJson, describeAnswer } from '../../oauth/answer.ts';
import { invalidRequest } from '../../oauth/authorization.ts';
import { readCredential } from '../../oauth/connections.ts';
import { renderFailure } from '../../oauth/failure.ts';
import { tokenAnswer, tokenRequest } from '../../oauth/schema.ts';
import { exchangeCode, refreshTokens } from '../../oauth/tokens.ts';

export default web.post({
  summary: { zh_CN: '换取令牌（OAuth 2.1）', en: 'Exchange a code or refresh token (OAuth 2.1)' },
  parser: urlencoded,
  bodyLimitBytes: 16_384,
  body: tokenRequest,
  data: rawAnswer,
  middleware: ['throttle:oauth-token'],
  readCredential,
  audit: 'login',
  errors: [
    'oauth.invalid_request',
    'oauth.invalid_grant',
    'oauth.invalid_scope',
    'oauth.invalid_target',
    'oauth.token_reused',
    'oauth.unsupported_grant_type',
    'database.unavailable',
  ],
  renderFailure,
  reference: { answers: [describeAnswer(tokenAnswer)] },
  handler: async ({ body }) => {
    switch (body.grant_type) {
      case 'authorization_code':
        return answerJson(await exchangeCode(body));
      case 'refresh_token':
        return answerJson(await refreshTokens(body));
      case undefined:
        throw invalidRequest('grant_type', 'rule.oauth_missing');
      default:
        throw systemErrors.create('oauth.unsupported_grant_type');
    }
  },
});
