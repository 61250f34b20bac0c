import * as z from 'zod/mini';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { usageResult } from '../../assistant/tool-results.ts';
import { readAiUsage } from '../../assistant/usage.ts';

const input = z.strictObject({
  days: z
    ._default(z.int().check(z.gte(1), z.lte(90)), 7)
    .check(z.describe('Number of days, including today, 1 to 90')),
});

export default class AiUsageStatsTool extends McpTool<typeof input> {
  override readonly name = 'system.ai_usage_stats';
  override readonly title = { zh_CN: 'AI 用量统计', en: 'AI usage' };
  override readonly description =
    'Lists the calls and tokens that the AI assistant used on each of the last days, and in total; days without use have zeros.';
  override readonly inputSchema = input;
  override readonly outputSchema = usageResult;
  override readonly access = 'read';

  override handle({ days }: z.output<typeof input>) {
    return readAiUsage(days);
  }
}
