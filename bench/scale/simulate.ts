import { type Access, countStreamCommands, type Usage } from '../accounting/access.ts';
import type { Recorded } from '../accounting/record.ts';
import { toFamily } from './families.ts';
import { type LimitName, limits } from './limits.ts';

/** A scenario with the time that it is billed for. */
export type Flow = Recorded & { billedMs: number };

/** The load of the busiest key of a family, per second. */
export interface KeyLoad {
  place: Access['place'];
  name: string;
  readUnits: number;
  writeUnits: number;
  transactions: number;
  /** Requests that name the key. */
  requests: number;
}

/** The load of some traffic on everything that has a limit, per second. */
export interface Load {
  total: Record<LimitName, number>;
  /** By place and family. */
  keys: KeyLoad[];
}

interface Part {
  flow: Flow;
  perSecond: number;
}

/**
 * The load of a traffic. Reads of an uncached caller happen for a part of the requests; entries that all callers share
 * are read again so rarely that they do not count.
 *
 * @param parts requests a second by scenario
 * @throws Error for a scenario that is not recorded
 */
export function simulate(
  flows: readonly Flow[],
  parts: Readonly<Record<string, number>>,
  uncachedCallers: number,
): Load {
  const asked = Object.entries(parts).map(([scenario, perSecond]): Part => {
    const flow = flows.find((each) => each.scenario === scenario);
    if (!flow) throw new Error(`${scenario} is not recorded`);
    return { flow, perSecond };
  });
  const whole = new Map<string, KeyLoad & { share: number }>();
  for (const { flow, perSecond } of asked) {
    addAccesses(whole, flow.hit, perSecond * (1 - uncachedCallers), () => true);
    const shown = new Set(flow.hit.accesses.map(({ place, key }) => `${place} ${toFamily(key).name}`));
    addAccesses(whole, flow.miss, perSecond * uncachedCallers, ({ place, key }) => {
      const { name, isPersonal } = toFamily(key);
      return isPersonal || shown.has(`${place} ${name}`);
    });
  }
  const sum = (pick: (part: Part) => number) => asked.reduce((total, part) => total + pick(part), 0);
  const stored = [...whole.values()].filter(({ place }) => place !== 'cache');
  const keys = [...whole.values()].map(toBusiest);
  const busiest = (kind: 'readUnits' | 'writeUnits' | 'transactions') =>
    Math.max(0, ...keys.filter(({ place }) => place !== 'cache').map((key) => key[kind]));
  return {
    keys,
    total: {
      gateway: sum(({ perSecond }) => perSecond),
      concurrency: sum(({ flow, perSecond }) => (perSecond * flow.billedMs) / 1000),
      commands: sum(
        ({ flow: { hit, miss }, perSecond }) =>
          perSecond *
          (hit.commands * (1 - uncachedCallers) + miss.commands * uncachedCallers + countStreamCommands(hit)),
      ),
      tableWrites: stored.reduce((total, { writeUnits }) => total + writeUnits, 0),
      tableReads: stored.reduce((total, { readUnits }) => total + readUnits, 0),
      keyWrites: busiest('writeUnits'),
      keyReads: busiest('readUnits'),
      itemTransactions: busiest('transactions'),
    },
  };
}

function addAccesses(
  whole: Map<string, KeyLoad & { share: number }>,
  { accesses }: Usage,
  perSecond: number,
  counts: (access: Access) => boolean,
): void {
  for (const access of accesses.filter(counts)) {
    const { place, key, readUnits, writeUnits, transactionOn } = access;
    const { name, busiestShare: share } = toFamily(key);
    const id = `${place} ${name}`;
    const before = whole.get(id) ?? {
      place,
      name,
      readUnits: 0,
      writeUnits: 0,
      transactions: 0,
      requests: 0,
      share,
    };
    whole.set(id, {
      ...before,
      readUnits: before.readUnits + perSecond * readUnits,
      writeUnits: before.writeUnits + perSecond * writeUnits,
      transactions: before.transactions + (transactionOn ? perSecond : 0),
      requests: before.requests + perSecond,
    });
  }
}

const toBusiest = ({
  share,
  readUnits,
  writeUnits,
  transactions,
  requests,
  ...key
}: KeyLoad & { share: number }) => ({
  ...key,
  readUnits: readUnits * share,
  writeUnits: writeUnits * share,
  transactions: transactions * share,
  requests: requests * share,
});

/** The limits in the order in which they are reached, and the part of the load that reaches each. */
export function listLimits({ total }: Load): { name: LimitName; at: number }[] {
  return (Object.keys(limits) as LimitName[])
    .map((name) => ({ name, at: limits[name].most / total[name] }))
    .sort((a, b) => a.at - b.at);
}

/** The busiest keys of the database by one kind of load, or of the cache by requests. */
export function listBusiest(
  { keys }: Load,
  kind: 'readUnits' | 'writeUnits' | 'transactions' | 'requests',
): KeyLoad[] {
  const isOfCache = kind === 'requests';
  return keys
    .filter(({ place }) => (place === 'cache') === isOfCache)
    .sort((a, b) => b[kind] - a[kind])
    .filter((key) => key[kind] > 0);
}
