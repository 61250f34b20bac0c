import { adapt } from '#shared/tools/ai-tool.ts';
import McpDictItemsTool from '../../Mcp/Tools/DictItemsTool.ts';

export default class DictItemsTool extends adapt(McpDictItemsTool) {}
