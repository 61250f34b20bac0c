import { serviceName } from '../names.ts';
import { logGroupName, type StackPlace } from './names.ts';

const periodSeconds = 300;

type Metric = readonly [namespace: string, name: string];

function createAlarm(
  topic: unknown,
  AlarmDescription: string,
  [Namespace, MetricName]: Metric,
  { threshold = 1, dimension }: { threshold?: number; dimension?: { Name: string; Value: unknown } } = {},
) {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription,
      Namespace,
      MetricName,
      ...(dimension && { Dimensions: [dimension] }),
      Statistic: 'Sum',
      Period: periodSeconds,
      EvaluationPeriods: 1,
      Threshold: threshold,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [topic],
    },
  };
}

/** Counts the lines of a stack's log that match. */
function createFilter(place: StackPlace, FilterPattern: string) {
  const [MetricNamespace, MetricName] = errorMetric(place);
  return {
    Type: 'AWS::Logs::MetricFilter',
    DependsOn: 'LogGroup',
    Properties: {
      LogGroupName: logGroupName(place),
      FilterPattern,
      MetricTransformations: [{ MetricNamespace, MetricName, MetricValue: '1', DefaultValue: 0 }],
    },
  };
}

const errorMetric = ({ stage, stack }: StackPlace): Metric => [`${serviceName}/${stage}`, `${stack}-errors`];

/** The log group of a stack, and the alarm for its errors. */
export function createStackAlarms(place: StackPlace, topic: unknown) {
  return {
    LogGroup: {
      Type: 'AWS::Logs::LogGroup',
      Properties: { LogGroupName: logGroupName(place), RetentionInDays: 30 },
    },
    ErrorLines: createFilter(place, '{ $.level = "error" }'),
    // Lambda writes these lines if a function times out or crashes.
    CrashLines: createFilter(place, '?"Task timed out" ?"Runtime exited" ?"Runtime.ExitError"'),
    ErrorAlarm: createAlarm(topic, `Errors in functions of ${place.stack}`, errorMetric(place)),
  };
}

/** The topic of all alarms, and the alarms of the API, the cache and the table. */
export function createCoreAlarms(stage: string) {
  const topic = { Ref: 'AlarmTopic' };
  const table = { dimension: { Name: 'TableName', Value: { Ref: 'Table' } } };
  return {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    ApiAlarm: createAlarm(topic, 'API answers with status 500 or above', ['AWS/ApiGateway', '5xx'], {
      threshold: 5,
      dimension: { Name: 'ApiId', Value: { Ref: 'HttpApi' } },
    }),
    FunctionThrottleAlarm: createAlarm(topic, 'Throttled calls of functions in this region', [
      'AWS/Lambda',
      'Throttles',
    ]),
    // Counted by shared/log. One or two are a lost connection.
    CacheAlarm: createAlarm(
      topic,
      'Requests without an answer of the cache',
      [serviceName, 'CacheUnavailable'],
      {
        threshold: 5,
        dimension: { Name: 'stage', Value: stage },
      },
    ),
    TableReadThrottleAlarm: createAlarm(
      topic,
      'Throttled reads of the table',
      ['AWS/DynamoDB', 'ReadThrottleEvents'],
      table,
    ),
    TableWriteThrottleAlarm: createAlarm(
      topic,
      'Throttled writes to the table',
      ['AWS/DynamoDB', 'WriteThrottleEvents'],
      table,
    ),
  };
}
