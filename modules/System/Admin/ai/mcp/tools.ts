import { admin } from '#shared/http/route.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import { toolList } from '../../../assistant/tool-schema.ts';

export default admin.get({
  summary: { zh_CN: 'MCP 工具列表', en: 'List the MCP tools' },
  data: toolList,
  needs: ['tools'],
  handler: async ({ tools }) => ({ tools: listTools(tools) }),
});
