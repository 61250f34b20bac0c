import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { toolCall } from '../../../assistant/schema.ts';

export default admin.post({
  summary: { zh_CN: '调用 MCP 工具', en: 'Call an MCP tool' },
  body: toolCall,
  data: z.object({
    name: titled({ zh_CN: '工具', en: 'Tool' }, z.string()),
    result: titled({ zh_CN: '结果', en: 'Result' }, z.unknown()),
    duration_ms: titled({ zh_CN: '耗时（毫秒）', en: 'Duration in milliseconds' }, z.int()),
  }),
  needs: ['tools'],
  audit: 'tools',
  limits: { timeoutSeconds: 29 },
  errors: ['tool.not_registered', 'tool.arguments_invalid', 'tool.failed', 'tool.timeout'],
  // A tool may refuse with any code, and its errors reach the caller.
  reference: { passesErrors: true },
  handler: async (context) => {
    const options = { ...context, channel: 'call', root: 'body.arguments' } as const;
    const { name, result, duration_ms } = await invokeTool(context.tools, context.body, options);
    return { name, result, duration_ms };
  },
});
