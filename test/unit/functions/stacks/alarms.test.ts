import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import { createFunctionAlarms } from '#functions/stacks/alarms.ts';
import { createFunctionMap, type FunctionDefinition } from '#functions/stacks/function-map.ts';
import { createResources } from '#functions/stacks/resources.ts';
import { defineJob } from '#shared/module/module.ts';

const topic = { Ref: 'AlarmTopic' };

const define = (event: FunctionDefinition['events'][number]) => ({
  'shop-job': { name: 'backend-prod-shop-job', handler: 'x', events: [event], timeout: 20, memorySize: 512 },
});
const watch = (event: FunctionDefinition['events'][number]) => createFunctionAlarms(define(event), topic);

describe('the alarm of a job', () => {
  test.each([
    ['rate(15 minutes)', 1800, 1],
    ['rate(1 hour)', 7200, 1],
    ['rate(12 hours)', 86_400, 1],
    ['rate(1 day)', 86_400, 2],
    ['rate(3 days)', 86_400, 6],
  ])('with %s rings without a run in twice that time', (schedule, Period, EvaluationPeriods) => {
    expect(watch({ schedule })).toEqual({
      ShopJobAlarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          AlarmDescription: 'backend-prod-shop-job did not run',
          Namespace: 'AWS/Lambda',
          MetricName: 'Invocations',
          Dimensions: [{ Name: 'FunctionName', Value: 'backend-prod-shop-job' }],
          Statistic: 'Sum',
          Period,
          EvaluationPeriods,
          Threshold: 1,
          ComparisonOperator: 'LessThanThreshold',
          TreatMissingData: 'breaching',
          AlarmActions: [topic],
        },
      },
    });
  });

  test.each([
    // From Friday evening to Monday morning: 61 hours and 5 minutes.
    ['cron(*/5 8-18 ? * MON-FRI *)', 86_400, 6],
    ['cron(30 2 * * ? *)', 86_400, 2],
    ['cron(0/20 * * * ? *)', 2400, 1],
  ])('with %s does not ring in the longest rest of a week', (schedule, Period, EvaluationPeriods) => {
    const jobs = [
      {
        ...{ module: 'Shop', file: 'modules/Shop/Jobs/a.ts', functionName: 'shop-job' },
        job: defineJob({ schedule, timeZone: 'Europe/Berlin', run: async () => ({}) }),
      },
    ];
    const { ShopJobAlarm } = createFunctionAlarms(createFunctionMap({ routes: [], jobs }, 'prod'), topic);

    expect(ShopJobAlarm?.Properties).toMatchObject({ Period, EvaluationPeriods });
  });

  test('does not exist for an interval that CloudWatch cannot look back', () => {
    expect(watch({ schedule: 'rate(4 days)' })).toEqual({});
    const rate: [string] = ['cron(0 3 1 * ? *)'];
    const schedule = { method: 'scheduler', rate, timezone: 'UTC', roleArn: {}, input: {} } as const;
    expect(watch({ schedule })).toEqual({});
  });
});

test('the alarm of a listener rings if a change waits for five minutes', () => {
  const { Properties } = watch({ stream: {} }).ShopJobAlarm ?? {};

  expect(Properties).toMatchObject({
    MetricName: 'IteratorAge',
    Statistic: 'Maximum',
    Threshold: 300_000,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
  });
});

test('a function that only answers requests has no alarm of its own', () => {
  expect(watch({ httpApi: { method: 'GET', path: '/a' } })).toEqual({});
});

test.each(['all', 'system'])('the stack %s has the alarms of its functions', (stack) => {
  const { Resources } = createResources({ stage: 'prod', stack }, define({ schedule: 'rate(1 hour)' }));

  expect(Resources).toHaveProperty('ShopJobAlarm');
});

test.each(['core', 'system', 'all'])(
  'an error of the audit log in the stack %s rings its own alarm',
  (stack) => {
    const { AuditLines } = Object(createResources({ stage: 'prod', stack }, {}).Resources);
    const { AuditAlarm } = Object(createResources({ stage: 'prod', stack: 'core' }, {}).Resources);

    const [metric] = AuditLines.Properties.MetricTransformations;
    expect(AuditLines.Properties.FilterPattern).toBe('{ $.level = "error" && $.event = "audit.*" }');
    expect(AuditAlarm.Properties).toMatchObject({
      ...{ Namespace: metric.MetricNamespace, MetricName: metric.MetricName },
      ...{ Threshold: 1, Statistic: 'Sum', TreatMissingData: 'notBreaching' },
    });
  },
);
