import { adapt } from '#shared/tools/ai-tool.ts';
import McpGetArticleTool from '../../Mcp/Tools/GetArticleTool.ts';

export default class GetArticleTool extends adapt(McpGetArticleTool) {}
