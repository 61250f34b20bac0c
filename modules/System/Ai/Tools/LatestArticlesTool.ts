import { adapt } from '#shared/tools/ai-tool.ts';
import McpLatestArticlesTool from '../../Mcp/Tools/LatestArticlesTool.ts';

export default class LatestArticlesTool extends adapt(McpLatestArticlesTool) {}
