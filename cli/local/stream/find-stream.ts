import type { EngineRequest } from './engine-request.ts';

interface TableAnswer {
  Table: { LatestStreamArn?: string; StreamSpecification?: { StreamEnabled?: boolean } };
}

/** ARN of a table's stream; undefined where it has none. */
export async function findStream(request: EngineRequest, tableName: string): Promise<string | undefined> {
  const { Table } = await request<TableAnswer>('DynamoDB_20120810.DescribeTable', { TableName: tableName });
  return Table.StreamSpecification?.StreamEnabled ? Table.LatestStreamArn : undefined;
}

/** Switches the stream of a table on, as the deployed one has it; it is well where it is on. */
export async function enableStream(request: EngineRequest, tableName: string): Promise<void> {
  if (await findStream(request, tableName)) return;
  await request('DynamoDB_20120810.UpdateTable', {
    TableName: tableName,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
}
