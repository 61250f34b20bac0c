import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { countEnabledAdmins } from '../../admins/admins.ts';
import { readAiUsage } from '../../assistant/usage.ts';
import { readUserCounts } from '../../users/counters.ts';

/** Days that the start page shows, today included. */
const days = 30;

const date = titled({ zh_CN: '日期', en: 'Date' }, z.iso.date());

export default admin.get({
  summary: { zh_CN: '概览', en: 'The overview of the start page' },
  data: z.strictObject({
    users: titled({ zh_CN: '用户数', en: 'Users' }, z.int()),
    admins: titled({ zh_CN: '启用的管理员数', en: 'Enabled administrators' }, z.int()),
    articles: titled({ zh_CN: '文章数', en: 'Articles' }, z.int()),
    /** New users, and usage of the assistant, of each day; the last is today. */
    days: titled(
      { zh_CN: '每日数据', en: 'Days' },
      z.array(
        z.strictObject({
          date,
          new_users: titled({ zh_CN: '新增用户', en: 'New users' }, z.int()),
          ai_calls: titled({ zh_CN: 'AI 调用次数', en: 'AI calls' }, z.int()),
          ai_input_tokens: titled({ zh_CN: 'AI 输入 Token 数', en: 'AI input tokens' }, z.int()),
          ai_output_tokens: titled({ zh_CN: 'AI 输出 Token 数', en: 'AI output tokens' }, z.int()),
        }),
      ),
    ),
  }),
  needs: ['contributions'],
  prefetch: ({ contributions }) =>
    settleAll([
      readUserCounts(days),
      countEnabledAdmins(),
      contributions.count('articles'),
      readAiUsage(days),
    ]),
  handler: async ({ prefetched: [users, admins, articles, usage] }) => ({
    users: users.total,
    admins,
    articles,
    days: usage.days.map(({ date, calls, input_tokens, output_tokens }, index) => ({
      date,
      new_users: users.byDay[index]?.count ?? 0,
      ai_calls: calls,
      ai_input_tokens: input_tokens,
      ai_output_tokens: output_tokens,
    })),
  }),
});
