import * as z from 'zod/mini';
import type { Template } from './check-stack.ts';

const lineSchema = z.array(z.union([z.string(), z.record(z.string(), z.unknown())]));
const bodySchema = z.object({
  widgets: z.array(z.object({ properties: z.object({ metrics: z.array(lineSchema) }) })),
});

/**
 * What is wrong in the dashboards of a stage: bodies that are not JSON, functions that no template has, and metrics of
 * the log that no template counts.
 *
 * @param templates of all stacks of the stage
 */
export function checkDashboards(templates: readonly Pick<Template, 'Resources'>[]): string[] {
  const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
  const functions = new Set(resources.map(({ Properties }) => Properties?.FunctionName));
  const counted = resources.flatMap(({ Properties }) => readTransformations(Properties));
  const faults = resources.flatMap(({ Type, Properties }) => {
    if (Type !== 'AWS::CloudWatch::Dashboard') return [];
    const lines = readLines(Properties?.DashboardBody);
    if (!lines) return ['the body of the dashboard is not the JSON that CloudWatch takes'];
    return lines.flatMap(([namespace, metric, dimension, value]) => {
      if (dimension === 'FunctionName' && !functions.has(value)) return [`the dashboard shows ${value}`];
      const isOfLog =
        typeof namespace === 'string' && /^[^/]+\/[^/]+$/.test(namespace) && !namespace.startsWith('AWS/');
      return isOfLog && !counted.includes(`${namespace} ${metric}`) ? [`the dashboard shows ${metric}`] : [];
    });
  });
  return [...new Set(faults)];
}

const transformationsSchema = z.object({
  MetricTransformations: z.array(z.object({ MetricNamespace: z.string(), MetricName: z.string() })),
});

/** The metrics that a metric filter counts: `namespace name`. */
const readTransformations = (properties: unknown): string[] =>
  (z.safeParse(transformationsSchema, properties).data?.MetricTransformations ?? []).map(
    ({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`,
  );

/** The metrics in the body of a dashboard; undefined if it is not valid. */
function readLines(body: unknown): z.infer<typeof lineSchema>[] | undefined {
  const text = [Object(body)['Fn::Sub'] ?? body].flat()[0];
  try {
    const { data } = z.safeParse(bodySchema, JSON.parse(String(text)));
    return data?.widgets.flatMap(({ properties }) => properties.metrics);
  } catch {
    return undefined;
  }
}
