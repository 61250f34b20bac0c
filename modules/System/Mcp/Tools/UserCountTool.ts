import * as z from 'zod/mini';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { readUserCounts } from '../../users/counters.ts';

const input = z.strictObject({});
const output = z.strictObject({
  total: z.int(),
  today: z.int(),
  last_7_days: z.int(),
  by_terminal: z.record(z.string(), z.int()),
});

export default class UserCountTool extends McpTool<typeof input> {
  override readonly name = 'system.user_count';
  override readonly title = { zh_CN: '用户数量', en: 'Number of users' };
  override readonly description =
    'Counts the end users: in total, new today, new in the last 7 days including today, and by the terminal of their first login.';
  override readonly inputSchema = input;
  override readonly outputSchema = output;
  override readonly access = 'read';

  override async handle() {
    const { total, byDay, byTerminal } = await readUserCounts(7);
    return {
      total,
      today: byDay.at(-1)?.count ?? 0,
      last_7_days: byDay.reduce((sum, { count }) => sum + count, 0),
      by_terminal: byTerminal,
    };
  }
}
