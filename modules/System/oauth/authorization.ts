import { type McpScope, mcpScopes } from '#shared/auth/api-token.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import type { OAuthClient } from './client-document.ts';
import { findClient } from './clients.ts';
import { matchesRedirect } from './redirects.ts';
import { mcpResource } from './resource.ts';
import type { AuthorizeParameters } from './schema.ts';

/** Client and redirect URI of a request to connect. Only after this check may an answer go to the client. */
export interface VerifiedClient {
  client: OAuthClient;
  redirectUri: string;
}

/** What is asked for, checked. */
export interface AuthorizationRequest {
  scopes: McpScope[];
  challenge: string;
}

/** @throws AppError `oauth.invalid_request`, `oauth.invalid_client` */
export async function verifyClient(given: AuthorizeParameters): Promise<VerifiedClient> {
  const { client_id, redirect_uri } = given;
  if (!client_id) throw invalidRequest('client_id', 'rule.oauth_missing');
  if (!redirect_uri) throw invalidRequest('redirect_uri', 'rule.oauth_missing');
  const client = await findClient(client_id);
  if (!client.redirectUris.some((each) => matchesRedirect(each, redirect_uri))) {
    throw invalidRequest('redirect_uri', 'rule.oauth_redirect');
  }
  return { client, redirectUri: redirect_uri };
}

/** @throws AppError `oauth.*`, which may be passed on to the redirect URI of a verified client */
export function checkRequest(given: AuthorizeParameters): AuthorizationRequest {
  const { response_type, code_challenge = '', code_challenge_method, resource } = given;
  if (!response_type) throw invalidRequest('response_type', 'rule.oauth_missing');
  if (response_type !== 'code') throw systemErrors.create('oauth.unsupported_response_type');
  // Without a method the challenge would be `plain` (RFC 7636, section 4.3), which protects nothing here.
  if (code_challenge_method !== 'S256') throw invalidRequest('code_challenge_method', 'rule.oauth_pkce');
  if (!/^[A-Za-z0-9_-]{43}$/.test(code_challenge)) throw invalidRequest('code_challenge', 'rule.oauth_pkce');
  if (resource !== mcpResource()) throw systemErrors.create('oauth.invalid_target');
  // A client that names no scope gets the smallest one.
  return { scopes: readScopes(given.scope) ?? ['mcp:read'], challenge: code_challenge };
}

/** The scopes of a list that is separated by spaces; undefined if it is absent. @throws AppError `oauth.invalid_scope` */
export function readScopes(scope: string | undefined): McpScope[] | undefined {
  if (!scope) return undefined;
  const names = scope.split(' ').filter((name) => name !== '');
  const known = mcpScopes.filter((each) => names.includes(each));
  if (names.some((name) => !known.some((each) => each === name)) || known.length === 0) {
    throw systemErrors.create('oauth.invalid_scope');
  }
  return known;
}

/** The scope of a token: `mcp:write` is enough for all tools. */
export const widestScope = (scopes: readonly McpScope[]): McpScope =>
  scopes.includes('mcp:write') ? 'mcp:write' : 'mcp:read';

export const invalidRequest = (parameter: string, message: string): AppError =>
  systemErrors.create('oauth.invalid_request', { errors: [{ path: parameter, message }] });
