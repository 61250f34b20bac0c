import { admin } from '#shared/http/route.ts';
import { toolOptions } from '#shared/http/tool-options.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { toolCall, toolErrors, toolResult } from '../../../data/tool-schema.ts';

export default admin.post({
  summary: { zh_CN: '调用 MCP 工具', en: 'Call an MCP tool' },
  body: toolCall,
  data: toolResult,
  tools: true,
  limits: { timeoutSeconds: 29 },
  errors: toolErrors,
  handler: async (context) => {
    const { body, tools } = context;
    const options = toolOptions(context, 'call', 'body.arguments');
    const { name, result, duration_ms } = await invokeTool(tools, body, options);
    return { name, result, duration_ms };
  },
});
