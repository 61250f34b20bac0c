import { environment } from '#shared/config/environment.ts';

/** The URL of a request without its query, as the site is known. A trailing slash does not count. */
export const toResource = ({ rawPath }: { rawPath: string }): string =>
  environment().publicUrl + rawPath.replace(/\/$/, '');

/**
 * The `WWW-Authenticate` header of a refused MCP call. It leads clients to the authorisation server (RFC 9728, section
 * 5.1), and names the scopes to ask for.
 *
 * @param event the request
 * @param scope separated by spaces
 * @param error code of RFC 6750; absent for a request without a token
 */
export function createChallenge(event: { rawPath: string }, scope: string, error?: string): string {
  const { publicUrl } = environment();
  const path = toResource(event).slice(publicUrl.length);
  return [
    'Bearer realm="mcp"',
    ...(error ? [`error="${error}"`] : []),
    `scope="${scope}"`,
    `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${path}"`,
  ].join(', ');
}
