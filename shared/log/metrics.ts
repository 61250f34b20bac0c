import type { MetricsTarget } from '#shared/config/environment.ts';

const units = {
  Requests: 'Count',
  ClientErrors: 'Count',
  ServerErrors: 'Count',
  Duration: 'Milliseconds',
  ColdStarts: 'Count',
  CacheUnavailable: 'Count',
} as const;

/** Values by metric. Keep them few: each costs by the month. */
export type Metrics = Partial<Record<keyof typeof units, number>>;

/** Also counted by function: rare, so it costs little. */
const byFunction: keyof Metrics = 'ServerErrors';

/** Members that make a log line a document of CloudWatch's embedded metric format. @param timestamp in Unix ms */
export function embedMetrics(
  metrics: Metrics,
  { namespace, stage }: MetricsTarget,
  line: { function?: unknown },
  timestamp: number,
) {
  const describe = (names: readonly string[], dimensions: string[]) => ({
    Namespace: namespace,
    Dimensions: [dimensions],
    Metrics: Object.entries(units)
      .filter(([name]) => names.includes(name))
      .map(([Name, Unit]) => ({ Name, Unit })),
  });
  const isByFunction = Object.hasOwn(metrics, byFunction) && typeof line.function === 'string';
  const directives = [
    describe(Object.keys(metrics), ['stage']),
    ...(isByFunction ? [describe([byFunction], ['stage', 'function'])] : []),
  ];
  return { _aws: { Timestamp: timestamp, CloudWatchMetrics: directives }, stage, ...metrics };
}
