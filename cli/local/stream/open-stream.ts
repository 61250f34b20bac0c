import { EngineError, type EngineRequest } from './engine-request.ts';

/** A change as a stream tells it. */
export interface StreamRecord {
  dynamodb?: {
    Keys?: Record<string, { S?: string }>;
    /** Unix seconds; some engines round it down to the minute. */
    ApproximateCreationDateTime?: number;
  };
}

/** Where reading begins: behind what there is, or with the oldest record that is kept. */
export type StartingPosition = 'LATEST' | 'TRIM_HORIZON';

/** Does something with records; where it fails, the same ones come again. */
export type Take = (records: StreamRecord[]) => Promise<void>;

/** A place in the stream of a table, which moves on with what is taken. */
export interface TableStream {
  /** Hands on the next records of each shard; answers how many there were. */
  read(take: Take): Promise<number>;
}

export interface StreamOptions {
  request: EngineRequest;
  arn: string;
  from: StartingPosition;
  /** Most records that are taken at once. */
  limit: number;
}

interface ShardsAnswer {
  StreamDescription: { Shards: { ShardId: string }[]; LastEvaluatedShardId?: string };
}
interface RecordsAnswer {
  Records: StreamRecord[];
  NextShardIterator?: string | null;
}

/** Names of errors that tell of a place which is no longer there. */
const lostPlaces = ['ExpiredIteratorException', 'TrimmedDataAccessException'];

/** Opens a stream of a local engine. */
export async function openStream({ request, arn, from, limit }: StreamOptions): Promise<TableStream> {
  /** Where the next records of each shard are; undefined behind the last one of a shard that has ended. */
  const places = new Map<string, string | undefined>();
  const call = <Answer>(operation: string, input: object) =>
    request<Answer>(`DynamoDBStreams_20120810.${operation}`, input);

  async function findShards(ShardIteratorType: StartingPosition): Promise<void> {
    let ExclusiveStartShardId: string | undefined;
    do {
      const input = { StreamArn: arn, ExclusiveStartShardId };
      const { StreamDescription } = await call<ShardsAnswer>('DescribeStream', input);
      for (const { ShardId } of StreamDescription.Shards.filter((shard) => !places.has(shard.ShardId))) {
        const start = { StreamArn: arn, ShardId, ShardIteratorType };
        places.set(ShardId, (await call<{ ShardIterator: string }>('GetShardIterator', start)).ShardIterator);
      }
      ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
    } while (ExclusiveStartShardId);
  }

  async function readShards(take: Take): Promise<number> {
    let count = 0;
    let hasEnded = false;
    for (const [shard, place] of places) {
      if (place === undefined) continue;
      const input = { ShardIterator: place, Limit: limit };
      const { Records, NextShardIterator } = await call<RecordsAnswer>('GetRecords', input);
      if (Records.length > 0) await take(Records);
      places.set(shard, NextShardIterator ?? undefined);
      hasEnded ||= !NextShardIterator;
      count += Records.length;
    }
    // A shard ends when others take its place.
    if (hasEnded) await findShards('TRIM_HORIZON');
    return count;
  }

  async function read(take: Take): Promise<number> {
    try {
      return await readShards(take);
    } catch (error) {
      if (!(error instanceof EngineError) || !lostPlaces.includes(error.name)) throw error;
      places.clear();
      await findShards('TRIM_HORIZON');
      return 0;
    }
  }

  await findShards(from);
  return { read };
}
