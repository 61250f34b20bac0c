import { adapt } from '#shared/tools/ai-tool.ts';
import McpEditArticleTool from '../../Mcp/Tools/EditArticleTool.ts';

export default class EditArticleTool extends adapt(McpEditArticleTool) {}
