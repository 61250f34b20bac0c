import type { StreamListener } from '#shared/module/stream-listener.ts';

/** An event of `serverless.yml` that calls a function with changes of the table. */
export interface StreamEvent {
  stream: {
    type: 'dynamodb';
    arn: { 'Fn::GetAtt': [string, 'StreamArn'] };
    batchSize: number;
    startingPosition: 'TRIM_HORIZON';
    maximumRecordAgeInSeconds: number;
    bisectBatchOnFunctionError: boolean;
    filterPatterns: { dynamodb: { Keys: { pk: { S: { prefix: string }[] } } } }[];
  };
}

/** Most changes that a listener is told at once: clearing as many entries fits the time the cache is given. */
export const streamBatchSize = 200;

/** How a listener is told of changes (docs/decisions/0008-stream.md). */
export function createStreamEvent({ prefixes, maxAgeSeconds }: StreamListener): StreamEvent {
  return {
    stream: {
      type: 'dynamodb',
      arn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      batchSize: streamBatchSize,
      // The latest position would miss what is written while the mapping comes into being.
      startingPosition: 'TRIM_HORIZON',
      maximumRecordAgeInSeconds: maxAgeSeconds,
      bisectBatchOnFunctionError: true,
      filterPatterns: [{ dynamodb: { Keys: { pk: { S: prefixes.map((prefix) => ({ prefix })) } } } }],
    },
  };
}
