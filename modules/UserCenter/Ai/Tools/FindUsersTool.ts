import { adapt } from '#shared/tools/ai-tool.ts';
import McpFindUsersTool from '../../Mcp/Tools/FindUsersTool.ts';

export default class FindUsersTool extends adapt(McpFindUsersTool) {}
