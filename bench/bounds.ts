import type { Result } from './measure.ts';

/** What the dictionary's read functions promise. */
const limits = {
  sizeBytes: 120 * 1024,
  /** Of ours over bare, from the start of the process to the first answer. */
  coldRatio: 0.8,
  hitRoundTrips: 1,
  missRoundTrips: 2,
};

/** The promises that a result breaks, each in one line. */
export function listBroken({ functionName, sizeBytes, load, cold, travel }: Result): string[] {
  const { hit, miss } = travel;
  const broken: [isBroken: boolean, text: string][] = [
    [sizeBytes.ours > limits.sizeBytes, `${sizeBytes.ours} bytes, at most ${limits.sizeBytes}`],
    [
      cold.ratios.process.ratio > limits.coldRatio,
      `cold start ${cold.ratios.process.ratio.toFixed(3)} of the bare handler's, at most ${limits.coldRatio}`,
    ],
    [hit.roundTrips !== limits.hitRoundTrips, `${hit.roundTrips} round trips on a hit, not 1`],
    [hit.requests.redis !== 1, `${hit.requests.redis} requests to the cache on a hit, not 1`],
    [hit.requests.dynamodb !== 0, `${hit.requests.dynamodb} requests to the database on a hit, not 0`],
    [miss.roundTrips !== limits.missRoundTrips, `${miss.roundTrips} round trips on a miss, not 2`],
    [load.ours.isSdkLoaded, 'the AWS SDK is loaded on a hit'],
    [load.ours.isUndiciLoaded, 'undici is loaded on a hit'],
  ];
  return broken.flatMap(([isBroken, text]) => (isBroken ? [`${functionName}: ${text}`] : []));
}
