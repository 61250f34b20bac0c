import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { McpTool, type ToolContext } from '#shared/tools/mcp-tool.ts';
import { countEnabledAdmins } from '../../admins/admins.ts';
import { describeAi } from '../../assistant/settings.ts';
import { settingsResult, usageResult } from '../../assistant/tool-results.ts';
import { readAiUsage } from '../../assistant/usage.ts';
import { readUserCounts } from '../../users/counters.ts';

const input = z.strictObject({});
const output = z.strictObject({
  users: z.int(),
  admins: z.int(),
  articles: z.int(),
  ai: settingsResult,
  ai_usage: usageResult,
});

export default class OverviewTool extends McpTool<typeof input> {
  override readonly name = 'system.overview';
  override readonly title = { zh_CN: '后台概览', en: 'Overview' };
  override readonly description =
    'Gives an overview of the back-end: numbers of end users, enabled administrators and articles, how the AI assistant is set up, and what it used in the last 7 days.';
  override readonly inputSchema = input;
  override readonly outputSchema = output;
  override readonly access = 'read';
  override readonly needs = ['contributions'] as const;

  override async handle(
    _input: z.output<typeof input>,
    { needs: { contributions } }: ToolContext<unknown, 'contributions'>,
  ) {
    const [{ total: users }, admins, articles, ai, ai_usage] = await settleAll([
      readUserCounts(1),
      countEnabledAdmins(),
      contributions.count('articles'),
      describeAi(),
      readAiUsage(7),
    ]);
    return { users, admins, articles, ai, ai_usage };
  }
}
