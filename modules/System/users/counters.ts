import { randomInt } from 'node:crypto';
import { listDays, toDay } from '#shared/config/local-time.ts';
import { getItems, type Item, type Write } from '#shared/db/items.ts';
import { type Key, keys, type UserCounter } from '#shared/db/keys.ts';
import { type Terminal, terminals } from './terminal.ts';

/**
 * Each counter is spread over so many partitions. It is the transactions that need them: two at a time on one item
 * conflict, and one of them waits. Three counters of so many are still one batch read.
 */
export const userCounterShards = 32;
const shards = Array.from({ length: userCounterShards }, (_, index) => index);

/** Numbers of users. */
export interface UserCounts {
  total: number;
  /** By the terminal that they first came from. */
  byTerminal: Record<Terminal, number>;
  /** By the day of their creation in the service's time zone, today last. */
  byDay: { date: string; count: number }[];
}

/** The writes that count a new user; they belong in the transaction that creates the user. */
export function countNewUser(terminal: Terminal): Write[] {
  const shard = randomInt(userCounterShards);
  const day = toDay();
  return [
    addOne(keys.userCounter('USERS', shard), ['total', `terminal_${terminal}`]),
    addOne(keys.userCounter(`USERS_MONTH#${monthOf(day)}`, shard), [attributeOf(day)]),
  ];
}

function addOne(key: Key, attributes: readonly string[]): Write {
  return {
    Update: {
      Key: { ...key },
      UpdateExpression: `ADD ${attributes.map((name) => `#${name} :one`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

const monthOf = (day: string): string => day.slice(0, 7);
const attributeOf = (day: string): string => `day_${day.slice(8)}`;

/**
 * Adds the counters up.
 *
 * @param days how many days `byDay` goes back, today included; from 1
 */
export async function readUserCounts(days: number): Promise<UserCounts> {
  const dates = listDays(days);
  const months = [...new Set(dates.map(monthOf))];
  const names = ['USERS', ...months.map((month) => `USERS_MONTH#${month}` as const)] as const;
  const items = await getItems(names.flatMap((name) => shards.map((shard) => keys.userCounter(name, shard))));
  const sum = (name: UserCounter, attribute: string) => {
    const own = new Set(shards.map((shard) => keys.userCounter(name, shard).pk));
    return add(
      items.filter(({ pk }) => own.has(String(pk))),
      attribute,
    );
  };
  const byTerminal = (terminal: Terminal) => sum('USERS', `terminal_${terminal}`);
  const { miniProgram, officialAccount, h5 } = terminals;
  return {
    total: sum('USERS', 'total'),
    byTerminal: {
      [miniProgram]: byTerminal(miniProgram),
      [officialAccount]: byTerminal(officialAccount),
      [h5]: byTerminal(h5),
    },
    byDay: dates.map((date) => ({ date, count: sum(`USERS_MONTH#${monthOf(date)}`, attributeOf(date)) })),
  };
}

const add = (items: Item[], attribute: string): number =>
  items.reduce((sum, item) => sum + Number(item[attribute] ?? 0), 0);
