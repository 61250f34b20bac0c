const units = {
  Requests: 'Count',
  ClientErrors: 'Count',
  ServerErrors: 'Count',
  Duration: 'Milliseconds',
  ColdStarts: 'Count',
  CacheUnavailable: 'Count',
} as const;

/** What is counted or measured, by name; few, since each costs by the month. */
export type Metrics = Partial<Record<keyof typeof units, number>>;

/** Which service and stage metrics are of. */
export interface MetricsPlace {
  namespace: string;
  stage: string;
}

/** Told by function too; it appears only where something is wrong. */
const byFunction: keyof Metrics = 'ServerErrors';

/**
 * The members that make a line of the log a document of CloudWatch's embedded metric format: CloudWatch reads
 * the metrics out of the log, so that sending them costs no request.
 *
 * @param line what else the line holds, by whose `function` errors are told
 * @param timestamp milliseconds since 1970
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
  const told = entries.filter(([name]) => name === byFunction && typeof line.function === 'string');
  const directives = [
    describe(entries, ['stage']),
    ...(told.length > 0 ? [describe(told, ['stage', 'function'])] : []),
  ];
  return { _aws: { Timestamp: timestamp, CloudWatchMetrics: directives }, stage, ...metrics };
}
