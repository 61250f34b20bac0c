import * as z from 'zod/mini';
import { mcpScopes } from '#shared/auth/api-token.ts';
import { environment } from '#shared/config/environment.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { answerJson, describeAnswer } from '../../oauth/answer.ts';
import { renderFailure } from '../../oauth/failure.ts';
import { mcpResource } from '../../oauth/resource.ts';

const metadata = z.looseObject({
  resource: z.url(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
});

export default web.get({
  summary: {
    zh_CN: 'MCP 服务的 OAuth 元数据（RFC 9728）',
    en: 'OAuth metadata of the MCP server (RFC 9728)',
  },
  aliases: ['/.well-known/oauth-protected-resource/mcp/service'],
  data: rawAnswer,
  middleware: ['throttle:oauth-metadata'],
  renderFailure,
  reference: { answers: [describeAnswer(metadata)] },
  handler: async () =>
    answerJson(
      {
        resource: mcpResource(),
        authorization_servers: [environment().publicUrl],
        scopes_supported: mcpScopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Administration backend',
      },
      'public, max-age=300',
    ),
});
