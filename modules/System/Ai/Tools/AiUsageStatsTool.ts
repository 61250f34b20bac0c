import { adapt } from '#shared/tools/ai-tool.ts';
import McpAiUsageStatsTool from '../../Mcp/Tools/AiUsageStatsTool.ts';

export default class AiUsageStatsTool extends adapt(McpAiUsageStatsTool) {}
