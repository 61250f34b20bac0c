import { resolve } from 'node:path';
import { readRoundTrips } from '#cli/package/budgets/budget-file.ts';
import type { Result } from './measure.ts';

/** What a function promises; what is not there is only reported. */
interface Limits {
  sizeBytes?: number;
  /** Of ours over bare, from the start of the process to the first answer. */
  coldRatio?: number;
  /** Whether the function may load undici, which its SDK needs. */
  isUndiciAllowed: boolean;
}

const dictionary: Limits = {
  sizeBytes: 120 * 1024,
  coldRatio: 0.8,
  isUndiciAllowed: false,
};

const limits: Record<Result['label'], Limits> = {
  admin: dictionary,
  public: dictionary,
  mcp: { isUndiciAllowed: true },
};

const recorded = readRoundTrips(resolve(import.meta.dirname, '..'));

/** The promises that a result breaks, each in one line. */
export function listBroken({ label, functionName, sizeBytes, load, cold, travel }: Result): string[] {
  const { hit, miss } = travel;
  const most = limits[label];
  const { sizeBytes: mostBytes = Number.POSITIVE_INFINITY, coldRatio = Number.POSITIVE_INFINITY } = most;
  const { hit: hitRoundTrips = 0, miss: missRoundTrips = 0 } = recorded[functionName] ?? {};
  const broken: [isBroken: boolean, text: string][] = [
    [sizeBytes.ours > mostBytes, `${sizeBytes.ours} bytes, at most ${mostBytes}`],
    [
      cold.ratios.process.ratio > coldRatio,
      `cold start ${cold.ratios.process.ratio.toFixed(3)} of the bare handler's, at most ${coldRatio}`,
    ],
    [hit.roundTrips > hitRoundTrips, `${hit.roundTrips} round trips on a hit, at most ${hitRoundTrips}`],
    [hit.requests.redis > hitRoundTrips, `${hit.requests.redis} requests to the cache on a hit`],
    [hit.requests.dynamodb !== 0, `${hit.requests.dynamodb} requests to the database on a hit, not 0`],
    [miss.roundTrips > missRoundTrips, `${miss.roundTrips} round trips on a miss, at most ${missRoundTrips}`],
    [load.ours.isSdkLoaded, 'the AWS SDK is loaded on a hit'],
    [load.ours.isUndiciLoaded && !most.isUndiciAllowed, 'undici is loaded on a hit'],
  ];
  return broken.flatMap(([isBroken, text]) => (isBroken ? [`${functionName}: ${text}`] : []));
}
