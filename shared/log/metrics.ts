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

interface MetricsPlace {
  namespace: string;
  stage: string;
}

/** Also counted by function: rare, so it costs little. */
const byFunction: keyof Metrics = 'ServerErrors';

/**
 * Members that make a log line a document of CloudWatch's embedded metric format. CloudWatch reads the metrics from
 * the log, so they cost no request.
 *
 * @param line the other fields of the line
 * @param timestamp Unix milliseconds
 */
export function embedMetrics(
  metrics: Metrics,
  { namespace, stage }: MetricsPlace,
  line: { function?: unknown },
  timestamp: number,
) {
  const entries = Object.entries(units).filter(([name]) => Object.hasOwn(metrics, name));
  const describe = (names: readonly (readonly [string, string])[], dimensions: string[]) => ({
    Namespace: namespace,
    Dimensions: [dimensions],
    Metrics: names.map(([Name, Unit]) => ({ Name, Unit })),
  });
  const ofFunction = entries.filter(([name]) => name === byFunction && typeof line.function === 'string');
  const directives = [
    describe(entries, ['stage']),
    ...(ofFunction.length > 0 ? [describe(ofFunction, ['stage', 'function'])] : []),
  ];
  return { _aws: { Timestamp: timestamp, CloudWatchMetrics: directives }, stage, ...metrics };
}
