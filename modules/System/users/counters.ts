import { listDays, toDay } from '#shared/config/local-time.ts';
import { type Counter, moveCounter, readCounters } from '#shared/db/counter.ts';
import { singleKey, type Write } from '#shared/db/items.ts';
import { type Terminal, terminals } from './terminal.ts';

/** Items of each counter: concurrent transactions on one item would conflict. Three counters are one batch read. */
export const userCounterShards = 32;

const createCounter = (name: string): Counter => ({
  shards: userCounterShards,
  key: (shard) => singleKey(`COUNTER#${name}#${shard}`),
});
const all = createCounter('USERS');
const ofMonth = (month: string): Counter => createCounter(`USERS_MONTH#${month}`);

export function countNewUser(terminal: Terminal): Write[] {
  const day = toDay();
  return [
    moveCounter(all, { total: 1, [`terminal_${terminal}`]: 1 }),
    moveCounter(ofMonth(monthOf(day)), { [attributeOf(day)]: 1 }),
  ];
}

const monthOf = (day: string): string => day.slice(0, 7);
const attributeOf = (day: string): string => `day_${day.slice(8)}`;

/** Counts users by the terminal of their first login, and of the last `days` (from 1) by day, today last. */
export async function readUserCounts(days: number) {
  const dates = listDays(days);
  const months = [...new Set(dates.map(monthOf))];
  const [users = {}, ...sums] = await readCounters([all, ...months.map(ofMonth)]);
  const of = (terminal: Terminal) => users[`terminal_${terminal}`] ?? 0;
  const { miniProgram, officialAccount, h5 } = terminals;
  return {
    total: users.total ?? 0,
    byTerminal: { mini_program: of(miniProgram), official_account: of(officialAccount), h5: of(h5) },
    byDay: dates.map((date) => {
      const month = sums[months.indexOf(monthOf(date))];
      return { date, count: month?.[attributeOf(date)] ?? 0 };
    }),
  };
}
