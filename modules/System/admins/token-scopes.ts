import * as z from 'zod/mini';
import { apiTokenScopes, mcpScopes } from '#shared/auth/api-token.ts';
import { titled } from '#shared/schema/titled.ts';

const mcpScopeTitles = {
  'mcp:read': { zh_CN: 'MCP：只读工具', en: 'MCP: tools that read' },
  'mcp:write': { zh_CN: 'MCP：全部工具', en: 'MCP: all tools' },
};
const scopeTitle = { zh_CN: '范围', en: 'Scope' };

export const mcpScope = titled({ ...scopeTitle, options: mcpScopeTitles }, z.enum(mcpScopes));
export const apiTokenScope = titled(
  {
    ...scopeTitle,
    options: {
      ...mcpScopeTitles,
      'api:read': { zh_CN: '管理接口：只读', en: 'Admin API: reads' },
      'api:write': { zh_CN: '管理接口：读写', en: 'Admin API: reads and changes' },
    },
  },
  z.enum(apiTokenScopes),
);
