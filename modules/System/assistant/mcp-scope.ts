import type { McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';

/** Whether a scope is enough for a tool: `mcp:read` for what changes nothing. */
export const allows = (scope: McpPrincipal['scope'], { access }: Pick<McpTool, 'access'>): boolean =>
  scope === 'mcp:write' || access === 'read';

/**
 * The refusal of a call that the token is not made for. It refuses the HTTP request, so that a client can ask
 * its user for another token.
 */
export function refuseScope(): AppError {
  const challenge = 'Bearer realm="mcp", error="insufficient_scope", scope="mcp:write"';
  return new AppError('auth.scope_insufficient', { headers: { 'www-authenticate': challenge } });
}
