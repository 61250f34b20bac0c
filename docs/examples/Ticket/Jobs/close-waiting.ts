import { defineJob } from '#shared/module/module.ts';
import { tickets } from '../tickets/tickets.ts';

const patienceDays = 14;

/** Closes tickets whose users did not answer for two weeks. */
export default defineJob({
  schedule: 'rate(1 day)',
  async run(isOver) {
    const latest = new Date(Date.now() - patienceDays * 86_400_000).toISOString();
    let closed = 0;
    let cursor: string | undefined;
    do {
      const page = await tickets.list({ status: 'waiting', limit: 100, cursor });
      for (const { id, version, updated_at } of page.list) {
        if (isOver()) return { closed };
        if (updated_at > latest) continue;
        await tickets.edit({ id, version, status: 'closed' });
        closed += 1;
      }
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return { closed };
  },
});
