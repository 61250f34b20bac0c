import { adapt } from '#shared/tools/ai-tool.ts';
import McpAiSettingsTool from '../../Mcp/Tools/AiSettingsTool.ts';

export default class AiSettingsTool extends adapt(McpAiSettingsTool) {}
