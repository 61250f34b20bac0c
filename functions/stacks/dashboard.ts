import { serviceName } from '../names.ts';
import { createFunctionMap, type FunctionDefinition } from './function-map.ts';
import {
  type DeployTarget,
  type FunctionSources,
  hasCore,
  listStacks,
  refer,
  selectStack,
  wholeStack,
} from './stack.ts';

/** The functions of each stack of a stage. */
export type StackFunctions = Readonly<Record<string, Readonly<Record<string, FunctionDefinition>>>>;

/** The functions of a stage, by stack; also if the stage is one stack. */
export function listStackFunctions(manifest: FunctionSources, stage: string): StackFunctions {
  return Object.fromEntries(
    listStacks(manifest).map((stack) => {
      const options = { hasFallback: hasCore(stack) };
      return [stack, createFunctionMap(selectStack(manifest, stack), stage, options)];
    }),
  );
}

/** How CloudWatch draws a metric, or the result of an expression. */
type Drawing = Record<string, string | boolean>;
/** Namespace, name, dimensions in pairs, drawing. */
type Line = (string | Drawing)[];

/** Metrics that CloudWatch draws in one graph, and in one dashboard, at most. */
const limits = { graph: 500, dashboard: 2_500 };
/** The grid of a dashboard is 24 wide. */
const size = { width: 12, height: 6 };

/** The statistic of each metric of a function that the graph of its stack reads. */
const functionMetrics = { Invocations: 'Sum', Errors: 'Sum', Throttles: 'Sum', Duration: 'p95' } as const;

const draw = (stat: string, label?: string): Drawing => ({ stat, ...(label && { label }) });
const drawResult = (expression: string, label: string, yAxis = 'left'): Drawing => ({
  expression,
  label,
  yAxis,
});

/**
 * The dashboard of a stage. It has graphs by stack as long as the functions of all stacks fit into it.
 *
 * @param functions of all stacks of the stage
 * @param apis logical IDs of its HTTP APIs
 */
export function createDashboard(
  target: DeployTarget,
  functions: StackFunctions,
  apis: readonly string[] = ['HttpApi'],
) {
  const graphs = [
    ...apis.flatMap(listApiGraphs),
    ...listGraphs(target, target.stack === wholeStack ? [wholeStack] : Object.keys(functions)),
    ...listStreamAndJobs(Object.values(functions).flatMap((each) => Object.values(each))),
    ...listStackGraphs(functions),
  ];
  const widgets = graphs.map(({ title, lines }, index) => ({
    type: 'metric',
    x: (index % 2) * size.width,
    y: Math.floor(index / 2) * size.height,
    ...size,
    properties: { title, metrics: lines, view: 'timeSeries', period: 300, region: `\${AWS::Region}` },
  }));
  const body = JSON.stringify({ widgets });
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: `${serviceName}-${target.stage}`,
      DashboardBody: { 'Fn::Sub': [body, { TableName: refer(target, 'TableName') }] },
    },
  };
}

interface Graph {
  title: string;
  lines: Line[];
}

/** @param id logical ID of an HTTP API */
function listApiGraphs(id: string): Graph[] {
  const line = (name: string, stat = 'Sum'): Line => [
    'AWS/ApiGateway',
    name,
    'ApiId',
    `\${${id}}`,
    draw(stat),
  ];
  const title = ['HTTP API', id.replace(/^HttpApi/, '')].filter((part) => part !== '').join(' ');
  return [
    { title, lines: [line('Count'), line('4xx'), line('5xx')] },
    { title: `${title}: latency in ms`, lines: [line('Latency', 'p50'), line('Latency', 'p95')] },
  ];
}

/** What all stacks of a stage share. */
function listGraphs({ stage }: DeployTarget, stacks: readonly string[]): Graph[] {
  const service = (name: string, stat = 'Sum'): Line => [serviceName, name, 'stage', stage, draw(stat)];
  const table = (name: string): Line => ['AWS/DynamoDB', name, 'TableName', `\${TableName}`, draw('Sum')];
  const errors = stacks.map(
    (stack): Line => [`${serviceName}/${stage}`, `${stack}-errors`, draw('Sum', stack)],
  );
  return [
    {
      title: 'Requests and errors',
      lines: ['Requests', 'ClientErrors', 'ServerErrors'].map((name) => service(name)),
    },
    { title: 'Errors in the log, by stack', lines: errors },
    { title: 'Duration of requests in ms', lines: [service('Duration', 'p50'), service('Duration', 'p95')] },
    {
      title: 'Cold starts, and requests without the cache',
      lines: [service('ColdStarts'), service('CacheUnavailable')],
    },
    {
      title: 'Table: consumed capacity',
      lines: [table('ConsumedReadCapacityUnits'), table('ConsumedWriteCapacityUnits')],
    },
    { title: 'Table: throttles', lines: [table('ReadThrottleEvents'), table('WriteThrottleEvents')] },
  ];
}

/** The age of the stream, and the jobs. */
function listStreamAndJobs(functions: readonly FunctionDefinition[]): Graph[] {
  const listNames = (kind: 'stream' | 'schedule') =>
    functions.filter(({ events }) => events.some((event) => kind in event)).map(({ name }) => name);
  const lambda = (name: string, of: string, stat: string): Line => [
    'AWS/Lambda',
    name,
    'FunctionName',
    of,
    draw(stat, of),
  ];
  const jobs = listNames('schedule');
  const graphs = [
    {
      title: 'Oldest change of the table that waits, in ms',
      lines: listNames('stream').map((name) => lambda('IteratorAge', name, 'Maximum')),
    },
    { title: 'Jobs: runs', lines: jobs.map((name) => lambda('Invocations', name, 'Sum')) },
    { title: 'Jobs: failed runs', lines: jobs.map((name) => lambda('Errors', name, 'Sum')) },
  ];
  return graphs.filter(({ lines }) => lines.length > 0);
}

/** Calls, errors and throttles of each stack's functions together, and the duration of the slowest. */
function listStackGraphs(functions: StackFunctions): Graph[] {
  const metrics = Object.entries(functionMetrics);
  const counts = Object.values(functions).map((each) => Object.keys(each).length * metrics.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  // The other graphs take far fewer than a fifth.
  if (total > 0.8 * limits.dashboard || Math.max(...counts) > limits.graph) return [];
  return Object.entries(functions).map(([stack, own]) => {
    const read = Object.values(own).flatMap(({ name }, index) =>
      metrics.map(
        ([metric, stat]): Line => [
          'AWS/Lambda',
          metric,
          'FunctionName',
          name,
          { id: `${metric.toLowerCase()}${index}`, stat, visible: false },
        ],
      ),
    );
    const results = [
      drawResult('SUM(METRICS("invocations"))', 'Calls'),
      drawResult('SUM(METRICS("errors"))', 'Errors'),
      drawResult('SUM(METRICS("throttles"))', 'Throttles'),
      drawResult('MAX(METRICS("duration"))', 'Slowest function, 95 % of calls, in ms', 'right'),
    ];
    return { title: `Functions of ${stack}`, lines: [...results.map((result): Line => [result]), ...read] };
  });
}
