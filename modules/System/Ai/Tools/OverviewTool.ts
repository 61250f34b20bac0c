import { adapt } from '#shared/tools/ai-tool.ts';
import McpOverviewTool from '../../Mcp/Tools/OverviewTool.ts';

export default class OverviewTool extends adapt(McpOverviewTool) {}
