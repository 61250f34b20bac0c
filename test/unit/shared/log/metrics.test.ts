import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { embedMetrics } from '#shared/log/metrics.ts';

const target = { namespace: 'backend', stage: 'prod' };
const now = 1_795_311_234_567;

/** The schema of the embedded metric format (CloudWatch). */
const name = { type: 'string', minLength: 1, maxLength: 1024 };
const directive = {
  type: 'object',
  required: ['Namespace', 'Dimensions', 'Metrics'],
  additionalProperties: false,
  properties: {
    Namespace: name,
    Dimensions: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'array',
        maxItems: 30,
        uniqueItems: true,
        items: { type: 'string', minLength: 1, maxLength: 250 },
      },
    },
    Metrics: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['Name'],
        additionalProperties: false,
        properties: {
          Name: name,
          Unit: { enum: ['Count', 'Milliseconds', 'Seconds', 'Bytes', 'Percent', 'None'] },
          StorageResolution: { enum: [1, 60] },
        },
      },
    },
  },
};
const document = {
  type: 'object',
  required: ['_aws'],
  properties: {
    _aws: {
      type: 'object',
      required: ['Timestamp', 'CloudWatchMetrics'],
      additionalProperties: false,
      properties: {
        Timestamp: { type: 'integer', minimum: 1_000_000_000_000 },
        CloudWatchMetrics: { type: 'array', items: directive },
      },
    },
  },
};

const ajv = new Ajv2020({ strict: false });

test.each([
  ['a request', { Requests: 1, Duration: 3.4, ColdStarts: 1 }],
  ['a failure', { Requests: 1, Duration: 3.4, ServerErrors: 1 }],
  ['a cache that is away', { CacheUnavailable: 1 }],
])('%s fits the specification, and each metric and dimension has its member', (_title, metrics) => {
  const line = {
    function: 'system-web-health',
    ...embedMetrics(metrics, target, { function: 'system-web-health' }, now),
  };

  expect(ajv.validate(document, line) || ajv.errorsText()).toBe(true);
  const root: Record<string, unknown> = line;
  for (const { Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
    for (const dimension of Dimensions.flat()) expect(typeof root[dimension]).toBe('string');
    for (const { Name } of Metrics) expect(typeof root[Name]).toBe('number');
  }
  expect(line._aws.CloudWatchMetrics[0]?.Metrics.map(({ Name }) => Name).sort()).toEqual(
    Object.keys(metrics).sort(),
  );
});

test('only errors are counted by function, because metrics cost', () => {
  const listDirectives = (metrics: object) =>
    embedMetrics(metrics, target, { function: 'a' }, now)._aws.CloudWatchMetrics.map((each) => [
      each.Dimensions,
      each.Metrics.map(({ Name }) => Name),
    ]);

  expect(listDirectives({ Requests: 1 })).toEqual([[[['stage']], ['Requests']]]);
  expect(listDirectives({ Requests: 1, ServerErrors: 1 })).toEqual([
    [[['stage']], ['Requests', 'ServerErrors']],
    [[['stage', 'function']], ['ServerErrors']],
  ]);
});
