import * as z from 'zod/mini';
import { components } from '#shared/schema/component.ts';
import { createdAt } from '#shared/schema/fields.ts';
import { choice, label, secret, url } from '#shared/schema/marks.ts';
import { recordId, text, wellFormed } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { isAllowedRedirect } from './redirects.ts';

/** Longest client ID. A metadata document's URL is one, and part of a key of the table. */
const clientIdLength = 500;
const parameter = (max: number) => z.string().check(z.maxLength(max), wellFormed);

export const clientId = titled({ zh_CN: '客户端', en: 'Client' }, label(parameter(clientIdLength)));
const redirectUri = titled({ zh_CN: '重定向地址', en: 'Redirect URI' }, url(parameter(2000)));
const scope = titled({ zh_CN: '范围', en: 'Scope' }, label(parameter(200)));
const resource = titled({ zh_CN: '资源', en: 'Resource' }, label(parameter(2000)));

/** Parameters of the authorisation endpoint. What is missing or wrong is refused as the standards say. */
export const authorizeParameters = {
  response_type: titled({ zh_CN: '响应类型', en: 'Response type' }, z.optional(parameter(100))),
  client_id: titled({ zh_CN: '客户端', en: 'Client' }, z.optional(clientId)),
  redirect_uri: titled({ zh_CN: '重定向地址', en: 'Redirect URI' }, z.optional(redirectUri)),
  scope: titled({ zh_CN: '范围', en: 'Scope' }, z.optional(scope)),
  state: titled({ zh_CN: '状态', en: 'State' }, z.optional(secret(parameter(4000)))),
  resource: titled({ zh_CN: '资源', en: 'Resource' }, z.optional(resource)),
  code_challenge: titled({ zh_CN: '质询', en: 'Code challenge' }, z.optional(parameter(200))),
  code_challenge_method: titled({ zh_CN: '质询方法', en: 'Challenge method' }, z.optional(parameter(20))),
};
export type AuthorizeParameters = z.infer<z.ZodMiniObject<typeof authorizeParameters>>;

// Anybody may send these. The audit log has the client of a connection as the actor's, and no other text.
const anyClient = titled({ zh_CN: '客户端', en: 'Client' }, parameter(clientIdLength));
const anyRedirect = titled({ zh_CN: '重定向地址', en: 'Redirect URI' }, parameter(2000));
const anyScope = titled({ zh_CN: '范围', en: 'Scope' }, parameter(200));
const anyResource = titled({ zh_CN: '资源', en: 'Resource' }, parameter(2000));

/** The body of the token endpoint. */
export const tokenRequest = z.object({
  grant_type: titled(
    { zh_CN: '授权类型', en: 'Grant type' },
    z.optional(choice(parameter(100), ['authorization_code', 'refresh_token'])),
  ),
  client_id: titled({ zh_CN: '客户端', en: 'Client' }, z.optional(anyClient)),
  code: titled({ zh_CN: '授权码', en: 'Code' }, z.optional(secret(parameter(500)))),
  redirect_uri: titled({ zh_CN: '重定向地址', en: 'Redirect URI' }, z.optional(anyRedirect)),
  code_verifier: titled({ zh_CN: '校验值', en: 'Code verifier' }, z.optional(secret(parameter(200)))),
  refresh_token: titled({ zh_CN: '刷新令牌', en: 'Refresh token' }, z.optional(secret(parameter(500)))),
  scope: titled({ zh_CN: '范围', en: 'Scope' }, z.optional(anyScope)),
  resource: titled({ zh_CN: '资源', en: 'Resource' }, z.optional(anyResource)),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export const tokenAnswer = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.string(),
});
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** A failure of the OAuth endpoints (RFC 6749, section 5.2). */
export const oauthFailure = z.strictObject({ error: z.string(), error_description: z.string() });

const registeredUri = label(parameter(2000).check(z.refine(isAllowedRedirect, { error: 'rule.redirect' })));

export const newClient = z.strictObject({
  name: titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50))),
  redirect_uris: titled(
    { zh_CN: '重定向地址', en: 'Redirect URIs' },
    z.array(registeredUri).check(z.minLength(1), z.maxLength(20)),
  ),
});
export type NewClient = z.infer<typeof newClient>;

/** A client that an administrator registered. */
export const clientData = z
  .strictObject({
    id: recordId,
    name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
    redirect_uris: titled({ zh_CN: '重定向地址', en: 'Redirect URIs' }, z.array(z.string())),
    created_at: createdAt,
  })
  .register(components, { id: 'OAuthClient' });
export type RegisteredClient = z.infer<typeof clientData>;

/** The body of the revocation endpoint. */
export const revokeRequest = z.object({
  token: titled({ zh_CN: '令牌', en: 'Token' }, z.optional(secret(parameter(500)))),
  token_type_hint: titled({ zh_CN: '令牌类型', en: 'Kind of token' }, z.optional(parameter(100))),
  client_id: titled({ zh_CN: '客户端', en: 'Client' }, z.optional(anyClient)),
});
export type RevokeRequest = z.infer<typeof revokeRequest>;
export const revokeAnswer = z.strictObject({});

/** Codes of a request to connect that is refused. */
export const authorizationErrors = [
  'oauth.invalid_request',
  'oauth.invalid_client',
  'oauth.invalid_scope',
  'oauth.invalid_target',
  'oauth.unsupported_response_type',
];
