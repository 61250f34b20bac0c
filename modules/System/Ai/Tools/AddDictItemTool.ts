import { adapt } from '#shared/tools/ai-tool.ts';
import McpAddDictItemTool from '../../Mcp/Tools/AddDictItemTool.ts';

export default class AddDictItemTool extends adapt(McpAddDictItemTool) {}
