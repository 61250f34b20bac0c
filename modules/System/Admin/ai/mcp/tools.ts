import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { listTools } from '#shared/tools/list-tools.ts';

const tool = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  access: z.enum(['read', 'write']),
  chat: z.boolean(),
});

export default admin.get({
  summary: { zh_CN: '可用的 MCP 工具列表', en: 'List the MCP tools that you may run' },
  right: 'login',
  data: z.object({ tools: z.array(tool) }),
  needs: ['tools'],
  handler: async ({ tools, admin }) => ({ tools: listTools(tools, admin) }),
});
