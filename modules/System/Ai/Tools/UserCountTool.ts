import { adapt } from '#shared/tools/ai-tool.ts';
import McpUserCountTool from '../../Mcp/Tools/UserCountTool.ts';

export default class UserCountTool extends adapt(McpUserCountTool) {}
