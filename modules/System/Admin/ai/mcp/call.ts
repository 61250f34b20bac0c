import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { toolCall } from '../../../assistant/schema.ts';

export default admin.post({
  summary: { zh_CN: '调用 MCP 工具', en: 'Call an MCP tool' },
  body: toolCall,
  data: z.object({ name: z.string(), result: z.unknown(), duration_ms: z.int() }),
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
