import * as z from 'zod/mini';
import { McpTool, type ToolContext } from '#shared/tools/mcp-tool.ts';
import { type AiDescription, describeAi } from '../../assistant/settings.ts';
import { settingsResult } from '../../assistant/tool-results.ts';

const input = z.strictObject({});

export default class AiSettingsTool extends McpTool<typeof input, AiDescription> {
  override readonly name = 'system.ai_settings';
  override readonly title = { zh_CN: 'AI 助手设置', en: 'Settings of the AI assistant' };
  override readonly description =
    'Describes the settings of the AI assistant: whether it is on and complete, its model, provider address and step limit; never its key.';
  override readonly inputSchema = input;
  override readonly outputSchema = settingsResult;
  override readonly access = 'read';

  override prefetch() {
    return describeAi();
  }

  override async handle(_args: z.output<typeof input>, { prefetched }: ToolContext<AiDescription>) {
    return prefetched ?? describeAi();
  }
}
