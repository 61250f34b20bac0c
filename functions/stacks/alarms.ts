import { serviceName } from '../names.ts';
import { logGroupName, type StackPlace } from './names.ts';

/** How long errors are counted together, in seconds. */
const periodSeconds = 300;

interface Watched {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
}

function createAlarm(topic: unknown, AlarmDescription: string, metric: Watched, Threshold = 1) {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription,
      ...metric,
      Statistic: 'Sum',
      Period: periodSeconds,
      EvaluationPeriods: 1,
      Threshold,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [topic],
    },
  };
}

/** Counts the lines of a stack's log that match. */
function createFilter(place: StackPlace, FilterPattern: string) {
  const { Namespace: MetricNamespace, MetricName } = errorMetric(place);
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

const errorMetric = ({ stage, stack }: StackPlace) => ({
  Namespace: `${serviceName}/${stage}`,
  MetricName: `${stack}-errors`,
});

/** The log of a stack's functions, and the alarm on errors in it: one set a stack, however many functions. */
export function createStackAlarms(place: StackPlace, topic: unknown) {
  return {
    LogGroup: {
      Type: 'AWS::Logs::LogGroup',
      Properties: { LogGroupName: logGroupName(place), RetentionInDays: 30 },
    },
    ErrorLines: createFilter(place, '{ $.level = "error" }'),
    // What Lambda itself writes of a function that was stopped or has crashed.
    CrashLines: createFilter(place, '?"Task timed out" ?"Runtime exited" ?"Runtime.ExitError"'),
    ErrorAlarm: createAlarm(topic, `Errors of the functions of ${place.stack}`, errorMetric(place)),
  };
}

/** Where all alarms go, and the alarms on what all stacks of a stage share. */
export function createCoreAlarms(stage: string) {
  const topic = { Ref: 'AlarmTopic' };
  const api = [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }];
  const table = [{ Name: 'TableName', Value: { Ref: 'Table' } }];
  return {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    ApiAlarm: createAlarm(
      topic,
      'Answers of the API above 499',
      { Namespace: 'AWS/ApiGateway', MetricName: '5xx', Dimensions: api },
      5,
    ),
    FunctionThrottleAlarm: createAlarm(topic, 'Functions of this region that are not let run', {
      Namespace: 'AWS/Lambda',
      MetricName: 'Throttles',
    }),
    // Embedded in the log by shared/log; one or two are a connection that was lost.
    CacheAlarm: createAlarm(
      topic,
      'Requests that the cache did not answer',
      {
        Namespace: serviceName,
        MetricName: 'CacheUnavailable',
        Dimensions: [{ Name: 'stage', Value: stage }],
      },
      5,
    ),
    TableReadThrottleAlarm: createAlarm(topic, 'Reads that the table throttles', {
      Namespace: 'AWS/DynamoDB',
      MetricName: 'ReadThrottleEvents',
      Dimensions: table,
    }),
    TableWriteThrottleAlarm: createAlarm(topic, 'Writes that the table throttles', {
      Namespace: 'AWS/DynamoDB',
      MetricName: 'WriteThrottleEvents',
      Dimensions: table,
    }),
  };
}
