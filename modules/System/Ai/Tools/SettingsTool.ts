import { adapt } from '#shared/tools/ai-tool.ts';
import McpSettingsTool from '../../Mcp/Tools/SettingsTool.ts';

export default class SettingsTool extends adapt(McpSettingsTool) {}
