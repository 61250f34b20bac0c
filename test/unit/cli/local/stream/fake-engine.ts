import type { StreamRecord } from '#cli/local/stream/table-stream.ts';
import { EngineError, type EngineRequest } from '#cli/local/stream/table-stream.ts';

/** A record of a change at a time, now by default. */
export const record = (pk: string, at = Date.now() / 1000): StreamRecord => ({
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: pk } }, ApproximateCreationDateTime: at },
});

interface Shard {
  records: StreamRecord[];
  hasEnded: boolean;
}

/** A stream in memory, behind the requests of DynamoDB; its iterators are `<shard>@<position>`. */
export function createFakeEngine() {
  const shards = new Map<string, Shard>();
  let fault: string | undefined;
  const shardOf = (name: string) => {
    const shard = shards.get(name);
    if (!shard) throw new EngineError('ResourceNotFoundException', name);
    return shard;
  };

  const answers: Record<string, (input: Record<string, string>, limit: number) => object> = {
    DescribeStream: ({ ExclusiveStartShardId }) => {
      // One shard per page, so that readers need several pages.
      const names = [...shards.keys()];
      const at = ExclusiveStartShardId ? names.indexOf(ExclusiveStartShardId) + 1 : 0;
      const ShardId = names[at];
      const Shards = ShardId ? [{ ShardId }] : [];
      const isLast = at >= names.length - 1;
      return { StreamDescription: { Shards, ...(!isLast && { LastEvaluatedShardId: ShardId }) } };
    },
    GetShardIterator: ({ ShardId = '', ShardIteratorType }) => ({
      ShardIterator: `${ShardId}@${ShardIteratorType === 'LATEST' ? shardOf(ShardId).records.length : 0}`,
    }),
    GetRecords: ({ ShardIterator = '' }, limit) => {
      const [name = '', at = '0'] = ShardIterator.split('@');
      const { records, hasEnded } = shardOf(name);
      const end = Number(at) + limit;
      const Records = records.slice(Number(at), end);
      const isOver = hasEnded && end >= records.length;
      return { Records, NextShardIterator: isOver ? null : `${name}@${Number(at) + Records.length}` };
    },
  };

  const calls: string[] = [];
  const request: EngineRequest = async <Answer>(target: string, input: object) => {
    const operation = target.replace('DynamoDBStreams_20120810.', '');
    calls.push(operation);
    if (fault && operation === 'GetRecords') {
      const name = fault;
      fault = undefined;
      throw new EngineError(name, 'on purpose');
    }
    const { Limit = 1000, ...rest } = Object(input);
    // What an engine answers is read from JSON, as here.
    const answer: Answer = JSON.parse(JSON.stringify(answers[operation]?.(rest, Limit)));
    return answer;
  };

  return {
    request,
    calls,
    add: (shard: string, ...records: StreamRecord[]) => {
      const present = shards.get(shard) ?? { records: [], hasEnded: false };
      shards.set(shard, { ...present, records: [...present.records, ...records] });
    },
    end: (shard: string) => {
      shardOf(shard).hasEnded = true;
    },
    /** Makes the next request for records fail. */
    failOnce: (name: string) => {
      fault = name;
    },
  };
}
