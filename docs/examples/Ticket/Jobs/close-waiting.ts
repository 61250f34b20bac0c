import { defineJob } from '#shared/module/module.ts';
import { tickets } from '../tickets/tickets.ts';

const patienceDays = 14;

/** Closes tickets whose users did not answer for two weeks. */
export default defineJob({
  title: { zh_CN: '关闭无回应的工单', en: 'Close tickets without an answer' },
  schedule: 'cron(0 3 * * ? *)',
  timeZone: 'Asia/Shanghai',
  async run({ due, cursor, isOver, keep }) {
    const latest = new Date(due.getTime() - patienceDays * 86_400_000).toISOString();
    let closed = 0;
    let next = cursor;
    do {
      const page = await tickets.list({ status: 'waiting', limit: 100, cursor: next });
      for (const { id, version, updated_at } of page.list) {
        if (updated_at > latest) continue;
        await tickets.edit({ id, version, status: 'closed' });
        closed += 1;
      }
      next = page.next_cursor ?? undefined;
      if (next !== undefined) await keep(next);
    } while (next !== undefined && !isOver());
    return { closed };
  },
});
