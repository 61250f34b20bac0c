import type { StreamListener } from '#shared/module/module.ts';

/** An event of `serverless.yml` that calls a function with changes of the table. */
export interface StreamEvent {
  stream: {
    type: 'dynamodb';
    arn: object;
    batchSize: number;
    startingPosition: 'TRIM_HORIZON';
    maximumRecordAgeInSeconds: number;
    bisectBatchOnFunctionError: boolean;
    filterPatterns: { dynamodb: { Keys: { pk: { S: { prefix: string }[] } } } }[];
  };
}

/** Most changes that a listener is told at once: clearing as many entries fits the time the cache is given. */
export const streamBatchSize = 200;

/**
 * How a listener is told of changes (docs/decisions/0008-stream.md).
 *
 * @param arn of the stream, as the listener's stack refers to it
 */
export function createStreamEvent({ prefixes, maxAgeSeconds }: StreamListener, arn: object): StreamEvent {
  return {
    stream: {
      type: 'dynamodb',
      arn,
      batchSize: streamBatchSize,
      // The latest position would miss what is written while the mapping comes into being.
      startingPosition: 'TRIM_HORIZON',
      maximumRecordAgeInSeconds: maxAgeSeconds,
      bisectBatchOnFunctionError: true,
      filterPatterns: [{ dynamodb: { Keys: { pk: { S: prefixes.map((prefix) => ({ prefix })) } } } }],
    },
  };
}
