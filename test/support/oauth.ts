import { createHash, randomBytes } from 'node:crypto';

/** A verifier and its challenge (RFC 7636). */
export function createPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Parameters of a request to connect that is right in all parts. */
export const authorizeParameters = (clientId: string, redirectUri: string, challenge: string) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  scope: 'mcp:read mcp:write',
  state: 'a state',
  resource: `${process.env.PUBLIC_URL}/mcp/service`,
  code_challenge: challenge,
  code_challenge_method: 'S256',
});

/** The code in the redirect of an approval. */
export const codeOf = (redirect: unknown): string => new URL(String(redirect)).searchParams.get('code') ?? '';
