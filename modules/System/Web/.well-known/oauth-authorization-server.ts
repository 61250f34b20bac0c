import * as z from 'zod/mini';
import { mcpScopes } from '#shared/auth/api-token.ts';
import { environment } from '#shared/config/environment.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { answerJson, describeAnswer } from '../../oauth/answer.ts';
import { renderFailure } from '../../oauth/failure.ts';

const metadata = z.looseObject({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url(),
  code_challenge_methods_supported: z.array(z.string()),
});

export default web.get({
  summary: { zh_CN: '授权服务器元数据（RFC 8414）', en: 'Metadata of the authorisation server (RFC 8414)' },
  data: rawAnswer,
  middleware: ['throttle:oauth-metadata'],
  renderFailure,
  reference: { answers: [describeAnswer(metadata)] },
  handler: async () => {
    const issuer = environment().publicUrl;
    const content = {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: mcpScopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      ui_locales_supported: ['zh-CN', 'en'],
    };
    return answerJson(content, 'public, max-age=300');
  },
});
