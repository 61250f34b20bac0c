import { adapt } from '#shared/tools/ai-tool.ts';
import McpListArticlesTool from '../../Mcp/Tools/ListArticlesTool.ts';

export default class ListArticlesTool extends adapt(McpListArticlesTool) {}
