import { adapt } from '#shared/tools/ai-tool.ts';
import McpAddArticleTool from '../../Mcp/Tools/AddArticleTool.ts';

export default class AddArticleTool extends adapt(McpAddArticleTool) {}
