import type {
  CreateTableCommandInput,
  DescribeTableCommandInput,
  DescribeTableCommandOutput,
  DescribeTimeToLiveCommandInput,
  DescribeTimeToLiveCommandOutput,
  UpdateTimeToLiveCommandInput,
} from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  DeleteCommandInput,
  GetCommandInput,
  GetCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

interface Does<Input, Output = unknown> {
  input: Input;
  output: Omit<Output, '$metadata'>;
}

/** The operations of DynamoDB that this service uses, by name; attributes as plain values. */
export interface Operations {
  GetItem: Does<GetCommandInput, GetCommandOutput>;
  BatchGetItem: Does<BatchGetCommandInput, BatchGetCommandOutput>;
  Query: Does<QueryCommandInput, QueryCommandOutput>;
  UpdateItem: Does<UpdateCommandInput>;
  DeleteItem: Does<DeleteCommandInput>;
  TransactWriteItems: Does<TransactWriteCommandInput>;
  CreateTable: Does<CreateTableCommandInput>;
  DescribeTable: Does<DescribeTableCommandInput, DescribeTableCommandOutput>;
  UpdateTimeToLive: Does<UpdateTimeToLiveCommandInput>;
  DescribeTimeToLive: Does<DescribeTimeToLiveCommandInput, DescribeTimeToLiveCommandOutput>;
}

export type Operation = keyof Operations;
