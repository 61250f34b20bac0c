import { randomInt } from 'node:crypto';
import { listDays, toDay } from '#shared/config/local-time.ts';
import { getItems, type Item, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { type Terminal, terminals } from './terminal.ts';

/** Each counter is spread over so many items, so that many creations at a time do not wait for one. */
const shards = Array.from({ length: 8 }, (_, index) => String(index));

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
  const shard = shards[randomInt(shards.length)];
  return [
    {
      Update: {
        Key: { ...keys.counter('USERS', shard) },
        UpdateExpression: 'ADD #total :one, #terminal :one',
        ExpressionAttributeNames: { '#total': 'total', '#terminal': `terminal_${terminal}` },
        ExpressionAttributeValues: { ':one': 1 },
      },
    },
    {
      Update: {
        Key: { ...keys.counter(`USERS_DAY#${toDay()}`, shard) },
        UpdateExpression: 'ADD #total :one',
        ExpressionAttributeNames: { '#total': 'total' },
        ExpressionAttributeValues: { ':one': 1 },
      },
    },
  ];
}

/**
 * Adds the counters up.
 *
 * @param days how many days `byDay` goes back, today included; from 1
 */
export async function readUserCounts(days: number): Promise<UserCounts> {
  const dates = listDays(days);
  const names = ['USERS', ...dates.map((date) => `USERS_DAY#${date}` as const)] as const;
  const items = await getItems(names.flatMap((name) => shards.map((shard) => keys.counter(name, shard))));
  const byCounter = Map.groupBy(items, ({ pk }) => String(pk));
  const sum = (name: (typeof names)[number], attribute: string) =>
    add(byCounter.get(keys.counter(name).pk) ?? [], attribute);
  const byTerminal = (terminal: Terminal) => sum('USERS', `terminal_${terminal}`);
  const { miniProgram, officialAccount, h5 } = terminals;
  return {
    total: sum('USERS', 'total'),
    byTerminal: {
      [miniProgram]: byTerminal(miniProgram),
      [officialAccount]: byTerminal(officialAccount),
      [h5]: byTerminal(h5),
    },
    byDay: dates.map((date) => ({ date, count: sum(`USERS_DAY#${date}`, 'total') })),
  };
}

const add = (items: Item[], attribute: string): number =>
  items.reduce((sum, item) => sum + Number(item[attribute] ?? 0), 0);
