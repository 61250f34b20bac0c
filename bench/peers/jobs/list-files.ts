import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readAsAdmin } from './login.ts';
import { renderFile } from './render-file.ts';
import { table, tableName } from './table.ts';

/** Which page: how many files, after the cursor of the page before. */
export interface ListQuery {
  /** 1 to 100. */
  limit: number;
  cursor?: string | undefined;
}

/** A page of files, newest first. */
export async function listFiles(authorization: string | undefined, { limit, cursor }: ListQuery) {
  await readAsAdmin(authorization);
  const { Items = [], LastEvaluatedKey } = await table.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': 'FILE' },
      ScanIndexForward: false,
      Limit: limit,
      ...(cursor && { ExclusiveStartKey: JSON.parse(Buffer.from(cursor, 'base64url').toString()) }),
    }),
  );
  const next = LastEvaluatedKey && Buffer.from(JSON.stringify(LastEvaluatedKey)).toString('base64url');
  return { list: Items.map(renderFile), next_cursor: next ?? null };
}
