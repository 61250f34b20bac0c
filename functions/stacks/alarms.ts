import { findNextDue } from '#shared/jobs/due-times.ts';
import { readRateMs } from '#shared/jobs/rate.ts';
import type { Schedule } from '#shared/module/job.ts';
import { serviceName } from '../names.ts';
import { type FunctionDefinition, toSchedule } from './function-map.ts';
import { type DeployTarget, logGroupName, refer } from './stack.ts';

interface Metric {
  namespace: string;
  /** Sum in five minutes that raises the alarm. @default 1 */
  threshold?: number;
  dimension?: { Name: string; Value: unknown };
}

const createAlarm = (
  topic: unknown,
  AlarmDescription: string,
  MetricName: string,
  { namespace, threshold = 1, dimension }: Metric,
) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmDescription,
    Namespace: namespace,
    MetricName,
    ...(dimension && { Dimensions: [dimension] }),
    Statistic: 'Sum',
    Period: 300,
    EvaluationPeriods: 1,
    Threshold: threshold,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    AlarmActions: [topic],
  },
});

/** Errors of the audit log, of all stacks together. */
const auditMetric = 'audit-errors';

/** The log group of a stack, and the alarm for its errors. */
export function createStackAlarms(target: DeployTarget, topic: unknown) {
  const LogGroupName = logGroupName(target);
  const namespace = `${serviceName}/${target.stage}`;
  const MetricName = `${target.stack}-errors`;
  const countLines = (FilterPattern: string, name = MetricName) => ({
    Type: 'AWS::Logs::MetricFilter',
    DependsOn: 'LogGroup',
    Properties: {
      LogGroupName,
      FilterPattern,
      MetricTransformations: [
        { MetricNamespace: namespace, MetricName: name, MetricValue: '1', DefaultValue: 0 },
      ],
    },
  });
  return {
    LogGroup: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName, RetentionInDays: 30 } },
    ErrorLines: countLines('{ $.level = "error" }'),
    // Lambda writes these lines if a function times out or crashes.
    CrashLines: countLines('?"Task timed out" ?"Runtime exited" ?"Runtime.ExitError"'),
    AuditLines: countLines('{ $.level = "error" && $.event = "audit.*" }', auditMetric),
    ErrorAlarm: createAlarm(topic, `Errors in functions of ${target.stack}`, MetricName, { namespace }),
  };
}

/** Oldest change that a listener may not have handled yet, in milliseconds. */
const oldestChangeMs = 300_000;
const daySeconds = 86_400;
/** CloudWatch looks back seven days at most. */
const longestDays = 7;

/** The alarms of listeners that fall behind, and of jobs that did not run, of a stack's functions by name. */
export function createFunctionAlarms(
  functions: Readonly<Record<string, FunctionDefinition>>,
  topic: unknown,
) {
  const alarms = Object.entries(functions).flatMap(([key, { name, events }]) => {
    const watch = (event: (typeof events)[number]) => {
      if ('stream' in event) return watchStream(name, topic);
      return 'schedule' in event ? watchJob(name, toSchedule(event.schedule), topic) : undefined;
    };
    const id = key.replace(/(?:^|-)(.)/g, (_sign, letter: string) => letter.toUpperCase());
    return events.flatMap((event) => {
      const alarm = watch(event);
      return alarm ? [[`${id}Alarm`, alarm] as const] : [];
    });
  });
  return Object.fromEntries(alarms);
}

function watchStream(name: string, topic: unknown) {
  const dimension = { Name: 'FunctionName', Value: name };
  const metric = { namespace: 'AWS/Lambda', threshold: oldestChangeMs, dimension };
  const alarm = createAlarm(topic, `Changes of the table wait for ${name}`, 'IteratorAge', metric);
  return { ...alarm, Properties: { ...alarm.Properties, Statistic: 'Maximum' } };
}

/** Rings if a job did not begin in twice its longest interval; undefined for an interval that CloudWatch cannot look back. */
function watchJob(name: string, schedule: Schedule, topic: unknown) {
  const seconds = 2 * readSeconds(schedule);
  const days = Math.ceil(seconds / daySeconds);
  if (!(days <= longestDays)) return undefined;
  const dimension = { Name: 'FunctionName', Value: name };
  const alarm = createAlarm(topic, `${name} did not run`, 'Invocations', {
    namespace: 'AWS/Lambda',
    dimension,
  });
  const window = { Period: Math.min(seconds, daySeconds), EvaluationPeriods: days };
  const rule = { ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' };
  return { ...alarm, Properties: { ...alarm.Properties, ...window, ...rule } };
}

/**
 * The longest time between due times within {@link longestDays}, in whole seconds: jobs of working hours rest at night
 * and at weekends. Longer times, as between months, are found at once.
 */
function readSeconds({ schedule }: Schedule): number {
  const rateMs = readRateMs(schedule);
  if (rateMs !== undefined) return rateMs / 1000;
  // In UTC, so that a template does not depend on summer time.
  const first = findNextDue({ schedule }, new Date());
  const endMs = (first?.getTime() ?? 0) + longestDays * daySeconds * 1000;
  let longestMs = Number.NaN;
  for (let due = first; due && due.getTime() < endMs; ) {
    const next = findNextDue({ schedule }, due);
    const gapMs = next ? next.getTime() - due.getTime() : Number.NaN;
    longestMs = longestMs > gapMs ? longestMs : gapMs;
    due = next;
  }
  return longestMs / 1000;
}

/** The alarm of an HTTP API. @param api its ID */
export const createApiAlarm = (topic: unknown, api: object, title: string) =>
  createAlarm(topic, title, '5xx', {
    namespace: 'AWS/ApiGateway',
    threshold: 5,
    dimension: { Name: 'ApiId', Value: api },
  });

/** The topic of all alarms, and the alarms of the API, the cache and the table. */
export function createCoreAlarms(target: DeployTarget) {
  const { stage } = target;
  const watch = createAlarm.bind(null, { Ref: 'AlarmTopic' });
  const table = {
    namespace: 'AWS/DynamoDB',
    dimension: { Name: 'TableName', Value: refer(target, 'TableName') },
  };
  const lambda = { namespace: 'AWS/Lambda' };
  const audit = { namespace: `${serviceName}/${stage}` };
  // Counted by shared/log. One or two are a lost connection.
  const cache = { namespace: serviceName, threshold: 5, dimension: { Name: 'stage', Value: stage } };
  return {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    ApiAlarm: createApiAlarm(
      { Ref: 'AlarmTopic' },
      { Ref: 'HttpApi' },
      'API answers with status 500 or above',
    ),
    FunctionThrottleAlarm: watch('Throttled calls of functions in this region', 'Throttles', lambda),
    AuditAlarm: watch('The audit log was changed, or cannot be written', auditMetric, audit),
    CacheAlarm: watch('Requests without an answer of the cache', 'CacheUnavailable', cache),
    TableReadThrottleAlarm: watch('Throttled reads of the table', 'ReadThrottleEvents', table),
    TableWriteThrottleAlarm: watch('Throttled writes to the table', 'WriteThrottleEvents', table),
  };
}
