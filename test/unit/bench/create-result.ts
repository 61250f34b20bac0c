import { type ByHandler, handlerNames } from '../../../bench/handlers.ts';
import type { Result } from '../../../bench/measure.ts';

const forEach = <Value>(create: () => Value): ByHandler<Value> =>
  Object.fromEntries(handlerNames.map((name) => [name, create()])) as ByHandler<Value>;

const series = (ratio: number) =>
  forEach(() => ({ value: ratio * 100, ratio, p10: ratio / 2, p90: ratio * 2 }));

const createTravel = (roundTrips: number) => ({
  roundTrips,
  durationMs: roundTrips * 120,
  quotient: roundTrips,
  requests: { redis: roundTrips, dynamodb: 0 },
});

/** What a run could find of the public dictionary read: every bound just holds. */
export const createResult = (): Result => ({
  label: 'public',
  functionName: 'system-api-config-dict',
  size: forEach(() => ({ start: 131_072, all: 500_000 })),
  load: forEach(() => ({ isSdkLoaded: false, isUndiciLoaded: false })),
  cold: {
    processMs: series(0.72),
    firstAnswerMs: series(0.5),
    cpuMs: series(0.7),
    residentMb: series(1.25),
  },
  warm: { p50: series(0.65), p99: series(0.6) },
  travel: { hit: forEach(() => createTravel(1)), miss: createTravel(2) },
});
