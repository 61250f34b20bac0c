import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { addApiToken } from '#modules/System/admins/api-tokens.ts';
import type { McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import { AppError } from '#shared/errors/app-error.ts';
import mcpAuth from '#shared/http/gates/mcp-auth.ts';
import { web } from '#shared/http/route.ts';
import { useDatabase } from '../../../support/database.ts';
import { ownerOf } from '../../../support/token-owner.ts';
import { newAdmin, newToken } from '../auth/api-token-fixture.ts';
import { call } from './fake-request.ts';

process.env.CORS_ORIGINS = 'https://console.example, http://localhost:5173';
useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const handler = jest.fn(async ({ adminId, scope }: McpPrincipal) => ({ adminId, scope }));
const route = web.post({
  middleware: ['mcp.auth'],
  summary: { zh_CN: '测试', en: 'Test' },
  body: z.strictObject({}),
  data: z.unknown(),
  handler,
});

let adminId: string;
let token: string;
beforeAll(async () => {
  adminId = await newAdmin();
  token = (await newToken(adminId)).token;
});

const ask = (headers: Record<string, string>) =>
  call(route, { method: 'POST', headers, body: {} }, [mcpAuth]);

describe('mcp.auth', () => {
  test('passes caller and scope to the handler', async () => {
    const { status, json } = await ask({ authorization: `Bearer ${token}` });

    expect(status).toBe(200);
    expect(json?.data).toEqual({ adminId, scope: 'mcp:read' });
  });

  test.each([
    [{}, 'en'],
    [{ 'accept-language': '*' }, 'en'],
    [{ 'accept-language': 'zh-CN' }, 'zh-CN'],
    [{ 'x-language': 'zh_CN', 'accept-language': 'en' }, 'zh-CN'],
  ])("answers a request with %j in %s, by its token's language", async (sent, expected) => {
    const english = (
      await addApiToken(
        { ...(await ownerOf(adminId)), locale: 'en' },
        { name: 'english', scope: 'mcp:read', days: 1 },
      )
    ).token;
    handler.mockRejectedValueOnce(new AppError('version_conflict'));

    const { headers, json } = await ask({ authorization: `Bearer ${english}`, ...sent });

    expect(headers['content-language']).toBe(expected);
    expect(json?.message).toMatch(expected === 'en' ? /^This was changed/ : /[\u4e00-\u9fff]/);
  });

  test('answers in the default language with a token that has none', async () => {
    const { headers } = await ask({ authorization: `Bearer ${token}` });

    expect(headers['content-language']).toBe('zh-CN');
  });

  test.each([
    ['without a token', undefined, 'auth.token_missing'],
    ['that is malformed', 'Bearer mcp_x', 'auth.token_invalid'],
    ['that is unknown', () => `Bearer ${token.slice(0, -64)}${'A'.repeat(64)}`, 'auth.token_invalid'],
  ])(
    'refuses a token %s with the header that leads to the authorisation server',
    async (_title, authorization, code) => {
      const header = typeof authorization === 'function' ? authorization() : authorization;

      const { status, headers, json } = await ask(header ? { authorization: header } : {});

      expect({ status, code: json?.code }).toEqual({ status: 401, code });
      const reason = header ? 'error="invalid_token", ' : '';
      expect(headers['www-authenticate']).toBe(
        `Bearer realm="mcp", ${reason}scope="mcp:read mcp:write", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/test"`,
      );
    },
  );

  test.each(['http://localhost:3000', 'https://console.example', 'http://localhost:5173'])(
    'accepts the origin %s',
    async (origin) => {
      expect(await ask({ origin, authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
    },
  );

  test.each(['https://evil.example', 'http://localhost:3001', 'https://localhost:3000', 'null', ''])(
    'refuses the origin %j, with any token',
    async (origin) => {
      const withToken = await ask({ origin, authorization: `Bearer ${token}` });
      const without = await ask({ origin });

      for (const { status, json } of [withToken, without]) {
        expect({ status, code: json?.code }).toEqual({ status: 403, code: 'auth.origin_denied' });
      }
    },
  );
});
