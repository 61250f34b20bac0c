import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { isPermitted, type Permission, type Rights } from '#shared/auth/permission.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { readAiUsage } from '../../assistant/usage.ts';

/** Days that the start page shows, today included. */
const days = 30;
/** Days that are compared with as many before. */
const comparedDays = 7;

const date = titled({ zh_CN: '日期', en: 'Date' }, z.iso.date());
const kind = titled({ zh_CN: '种类', en: 'Kind' }, z.string());
const title = titled({ zh_CN: '标题', en: 'Title' }, z.string());
const to = titled({ zh_CN: '控制台地址', en: 'Address in the console' }, z.string());

export default admin.get({
  summary: { zh_CN: '概览', en: 'The overview of the start page' },
  data: z.strictObject({
    users: titled({ zh_CN: '用户数', en: 'Users' }, z.int()),
    admins: titled({ zh_CN: '启用的管理员数', en: 'Enabled administrators' }, z.int()),
    articles: titled({ zh_CN: '文章数', en: 'Articles' }, z.int()),
    /** Numbers of records that the caller may list. */
    cards: titled(
      { zh_CN: '卡片', en: 'Cards' },
      z.array(
        z.strictObject({
          kind,
          title,
          to,
          total: titled({ zh_CN: '总数', en: 'Total' }, z.int()),
          /** Added in the last 7 days and in the 7 before; null if the module does not count by day. */
          added: titled({ zh_CN: '近 7 天新增', en: 'Added in 7 days' }, z.nullable(z.int())),
          added_before: titled(
            { zh_CN: '之前 7 天新增', en: 'Added in the 7 days before' },
            z.nullable(z.int()),
          ),
        }),
      ),
    ),
    /** What waits to be dealt with, if the caller may list it. */
    waiting: titled(
      { zh_CN: '待处理', en: 'Waiting' },
      z.array(z.strictObject({ kind, title, to, count: titled({ zh_CN: '数量', en: 'Count' }, z.int()) })),
    ),
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
  needs: ['contributions', 'permissions'],
  prefetch: ({ contributions }) =>
    settleAll([contributions.readStatistics(days), contributions.readWaiting(), readAiUsage(days)]),
  handler: async ({ prefetched: [statistics, waiting, usage], permissions, locale, admin: caller }) => {
    const maySee = (shown: { permission: string }) => isListed(shown.permission, permissions, caller);
    const find = (wanted: string) => statistics.find(({ kind }) => kind === wanted);
    return {
      users: find('users')?.total ?? 0,
      admins: find('admins')?.total ?? 0,
      articles: find('articles')?.total ?? 0,
      cards: statistics.filter(maySee).map(({ kind, title, to, total, added }) => ({
        kind,
        title: title[locale],
        to,
        total,
        added: added ? sum(added.slice(-comparedDays)) : null,
        added_before: added ? sum(added.slice(-2 * comparedDays, -comparedDays)) : null,
      })),
      waiting: waiting
        .filter((shown) => shown.count > 0 && maySee(shown))
        .map(({ kind, title, to, count }) => ({ kind, title: title[locale], to, count })),
      days: usage.days.map(({ date, calls, input_tokens, output_tokens }, index) => ({
        date,
        new_users: find('users')?.added?.[index] ?? 0,
        ai_calls: calls,
        ai_input_tokens: input_tokens,
        ai_output_tokens: output_tokens,
      })),
    };
  },
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Whether the caller may read a list. A permission that no enabled module has is not held. */
function isListed(path: string, permissions: readonly Permission[], rights: Rights): boolean {
  const permission = permissions.find((each) => each.path === path);
  return permission !== undefined && isPermitted(rights, permission);
}
