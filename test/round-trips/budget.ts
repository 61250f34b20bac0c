import type { RoundTrips } from '../../cli/package/budgets/budget-file.ts';
import type { Travels } from './measure.ts';
import type { Recording } from './waves.ts';

/** Most round trips one after another, and most requests in all. */
export interface Bound {
  trips: number;
  requests?: number;
}

export const updateCommand = 'ROUND_TRIPS=update npx jest test/round-trips';

/** The record of a scenario. */
export const toRoundTrips = ({ hit, miss }: Travels): RoundTrips => ({
  hit: hit.waves.length,
  miss: miss.waves.length,
  hitRequests: hit.waves.flat().length,
  missRequests: miss.waves.flat().length,
});

const cases = [
  { when: 'everything cached', key: 'hit', trips: 'hit', requests: 'hitRequests' },
  { when: 'nothing cached', key: 'miss', trips: 'miss', requests: 'missRequests' },
] as const;

/** The rises of a scenario above its record, with every request by wave; empty if not above. */
export function listRises(name: string, travels: Travels, recorded?: RoundTrips): string[] {
  return cases.flatMap(({ when, key, trips, requests }) => {
    const bound = { trips: recorded?.[trips] ?? -1, requests: recorded?.[requests] ?? -1 };
    return listExcess(`${name}, ${when}`, travels[key], bound);
  });
}

/** The values of a recording above a bound, with the requests. */
export function listExcess(title: string, { waves }: Recording, { trips, requests }: Bound): string[] {
  const most = requests ?? Number.POSITIVE_INFINITY;
  const count = waves.flat().length;
  if (waves.length <= trips && count <= most) return [];
  const atMost = trips < 0 ? 'nothing is recorded' : `at most ${trips} in ${most} requests`;
  const head = `${title}: ${waves.length} round trips in ${count} requests, ${atMost}`;
  const lines = waves.flatMap((wave, index) => wave.map((text) => `  ${index + 1}. ${text}`));
  return [[head, ...lines].join('\n')];
}

/** The falls of a scenario below its record. */
export function listFalls(name: string, travels: Travels, recorded?: RoundTrips): string[] {
  const now = toRoundTrips(travels);
  const isFallen = cases.some(
    ({ trips, requests }) => recorded && (now[trips] < recorded[trips] || now[requests] < recorded[requests]),
  );
  return isFallen ? [`${name}: ${JSON.stringify(now)}, ${JSON.stringify(recorded)} before`] : [];
}
