import { adapt } from '#shared/tools/ai-tool.ts';
import McpDictTypesTool from '../../Mcp/Tools/DictTypesTool.ts';

export default class DictTypesTool extends adapt(McpDictTypesTool) {}
