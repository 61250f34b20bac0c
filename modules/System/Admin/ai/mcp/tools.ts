import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { listTools } from '#shared/tools/list-tools.ts';

const tool = z.object({
  name: titled({ zh_CN: '工具', en: 'Tool' }, z.string()),
  description: titled({ zh_CN: '说明', en: 'Description' }, z.string()),
  input_schema: titled(
    { zh_CN: '参数格式', en: 'Schema of the arguments' },
    z.record(z.string(), z.unknown()),
  ),
  access: titled(
    {
      zh_CN: '权限类型',
      en: 'Access',
      options: { read: { zh_CN: '读取', en: 'Read' }, write: { zh_CN: '修改', en: 'Write' } },
    },
    z.enum(['read', 'write']),
  ),
  chat: titled({ zh_CN: '助手可用', en: 'For the assistant' }, z.boolean()),
});

export default admin.get({
  summary: { zh_CN: '可用的 MCP 工具列表', en: 'List the MCP tools that you may run' },
  right: 'login',
  data: z.object({ tools: titled({ zh_CN: '工具', en: 'Tools' }, z.array(tool)) }),
  needs: ['tools'],
  handler: async ({ tools, admin }) => ({ tools: await listTools(tools, admin) }),
});
