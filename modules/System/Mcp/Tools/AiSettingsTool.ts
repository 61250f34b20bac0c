import * as z from 'zod/mini';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { describeAi } from '../../assistant/settings.ts';

const input = z.strictObject({});

/** How the assistant is set up. */
export default class AiSettingsTool extends McpTool<typeof input> {
  override readonly name = 'system.ai_settings';
  override readonly description =
    'Tells how the AI assistant is set up: whether it is on and complete, its model, provider address and step limit; never its key.';
  override readonly inputSchema = input;
  override readonly access = 'read';

  override handle() {
    return describeAi();
  }
}
