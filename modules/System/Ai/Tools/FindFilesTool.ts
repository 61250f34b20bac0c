import { adapt } from '#shared/tools/ai-tool.ts';
import McpFindFilesTool from '../../Mcp/Tools/FindFilesTool.ts';

export default class FindFilesTool extends adapt(McpFindFilesTool) {}
