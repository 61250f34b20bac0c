import type { DescribeTableOutput } from '@aws-sdk/client-dynamodb';

/** A refused request. Has DynamoDB's name of the error. */
export class EngineError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Sends one request to an engine. @throws EngineError if the engine refuses it */
export type EngineRequest = <Answer>(target: string, input: object) => Promise<Answer>;

/** Engines outside of AWS require a signature, but do not check it. */
const signature = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20200101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20200101T000000Z',
};

/** Without the SDK: DynamoDB Streams would need another package of it. */
export function createEngineRequest(endpoint: string): EngineRequest {
  return async (target, input) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, ...signature },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = JSON.parse(await response.text());
    if (response.ok) return answer;
    const { __type: type = '', message = answer.Message } = answer;
    throw new EngineError(String(type).replace(/^.*#/, ''), String(message));
  };
}

/** ARN of a table's stream; undefined for a table without a stream. */
export async function findStream(request: EngineRequest, tableName: string): Promise<string | undefined> {
  const { Table } = await request<DescribeTableOutput>('DynamoDB_20120810.DescribeTable', {
    TableName: tableName,
  });
  return Table?.StreamSpecification?.StreamEnabled ? Table.LatestStreamArn : undefined;
}

/** Enables the stream of a table with the deployed settings. Idempotent. */
export async function enableStream(request: EngineRequest, tableName: string): Promise<void> {
  if (await findStream(request, tableName)) return;
  await request('DynamoDB_20120810.UpdateTable', {
    TableName: tableName,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
}

export interface StreamRecord {
  dynamodb?: {
    Keys?: Record<string, { S?: string }>;
    /** Unix seconds. Some engines round it down to the minute. */
    ApproximateCreationDateTime?: number;
  };
}

/** Begins after the newest record, or with the oldest one. */
export type StartingPosition = 'LATEST' | 'TRIM_HORIZON';

/** Handles records. After a failure, the same records come again. */
export type Take = (records: StreamRecord[]) => Promise<unknown>;

type ShardsAnswer = { StreamDescription: { Shards: { ShardId: string }[]; LastEvaluatedShardId?: string } };
type RecordsAnswer = { Records: StreamRecord[]; NextShardIterator?: string | null };

/** Errors for a position that no longer exists. */
const expiredPositions = ['ExpiredIteratorException', 'TrimmedDataAccessException'];

/** A position in the stream of a table. It advances after records are handled. */
export type TableStream = Awaited<ReturnType<typeof openStream>>;

/** Opens the stream of a table. @param limit most records in one call of `take` */
export async function openStream(request: EngineRequest, arn: string, from: StartingPosition, limit: number) {
  /** Next position in each shard; undefined at the end of a closed shard. */
  const iterators = new Map<string, string | undefined>();
  const call = <Answer>(operation: string, input: object) =>
    request<Answer>(`DynamoDBStreams_20120810.${operation}`, input);

  async function findShards(ShardIteratorType: StartingPosition): Promise<void> {
    let ExclusiveStartShardId: string | undefined;
    do {
      const input = { StreamArn: arn, ExclusiveStartShardId };
      const { StreamDescription } = await call<ShardsAnswer>('DescribeStream', input);
      for (const { ShardId } of StreamDescription.Shards.filter((shard) => !iterators.has(shard.ShardId))) {
        const start = { StreamArn: arn, ShardId, ShardIteratorType };
        iterators.set(
          ShardId,
          (await call<{ ShardIterator: string }>('GetShardIterator', start)).ShardIterator,
        );
      }
      ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
    } while (ExclusiveStartShardId);
  }

  async function readShards(take: Take): Promise<number> {
    let count = 0;
    let hasEnded = false;
    for (const [shard, ShardIterator] of iterators) {
      if (ShardIterator === undefined) continue;
      const answer = await call<RecordsAnswer>('GetRecords', { ShardIterator, Limit: limit });
      if (answer.Records.length > 0) await take(answer.Records);
      iterators.set(shard, answer.NextShardIterator ?? undefined);
      hasEnded ||= !answer.NextShardIterator;
      count += answer.Records.length;
    }
    // New shards replace a closed one.
    if (hasEnded) await findShards('TRIM_HORIZON');
    return count;
  }

  await findShards(from);
  return {
    /** Passes the next records of each shard to `take`. @returns the number of records */
    async read(take: Take): Promise<number> {
      try {
        return await readShards(take);
      } catch (error) {
        if (!(error instanceof EngineError) || !expiredPositions.includes(error.name)) throw error;
        iterators.clear();
        await findShards('TRIM_HORIZON');
        return 0;
      }
    },
  };
}
