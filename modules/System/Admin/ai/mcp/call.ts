import { admin } from '#shared/http/route.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { toolCall, toolResult } from '../../../assistant/tool-schema.ts';

export default admin.post({
  summary: { zh_CN: '调用 MCP 工具', en: 'Call an MCP tool' },
  body: toolCall,
  data: toolResult,
  needs: ['tools'],
  limits: { timeoutSeconds: 29 },
  errors: ['tool.not_registered', 'tool.arguments_invalid', 'tool.failed', 'tool.timeout'],
  // A tool's own refusals reach the caller, and it may refuse with any code.
  reference: { passesErrors: true },
  handler: async (context) => {
    const options = { ...context, door: 'call', root: 'body.arguments' } as const;
    const { name, result, duration_ms } = await invokeTool(context.tools, context.body, options);
    return { name, result, duration_ms };
  },
});
