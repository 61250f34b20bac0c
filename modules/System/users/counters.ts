import { listDays, toDay } from '#shared/config/local-time.ts';
import { type Counter, moveCounter, readCounters } from '#shared/db/counter.ts';
import { singleKey, type Write } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { type Terminal, terminals } from './terminal.ts';

/** Items of each counter: concurrent transactions on one item would conflict. Three counters are one batch read. */
export const userCounterShards = 32;

const createCounter = (name: string): Counter => ({
  shards: userCounterShards,
  key: (shard) => singleKey(`COUNTER#${name}#${shard}`),
});
const all = createCounter('USERS');
const ofMonth = (month: string): Counter => createCounter(`USERS_MONTH#${month}`);

/** The writes that count a user. @param terminal of the first login @param created time of the first login */
export function countUser(by: 1 | -1, terminal: Terminal, created = new Date()): Write[] {
  const day = toDay(created);
  return [
    moveCounter(all, { total: by, [`terminal_${terminal}`]: by }),
    moveCounter(ofMonth(monthOf(day)), { [attributeOf(day)]: by }),
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

export const writtenKeys: ListWrittenKeys = () => ['COUNTER#USERS#*', 'COUNTER#USERS_MONTH#*'];
