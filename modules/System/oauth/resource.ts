import { environment } from '#shared/config/environment.ts';

/** The protected resource: the URL of the MCP server. */
export const mcpResource = (): string => `${environment().publicUrl}/mcp/service`;
