import { adapt } from '#shared/tools/ai-tool.ts';
import McpSetArticleStatusTool from '../../Mcp/Tools/SetArticleStatusTool.ts';

export default class SetArticleStatusTool extends adapt(McpSetArticleStatusTool) {}
