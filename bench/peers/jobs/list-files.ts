import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { readAsAdmin } from './login.ts';
import { parse } from './parse.ts';
import { renderFile } from './render-file.ts';
import { table, tableName } from './table.ts';

const listQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(z.string().check(z.maxLength(2000))),
});

/** A page of files, newest first. */
export async function listFiles(
  authorization: string | undefined,
  query: Record<string, string | undefined> | undefined,
) {
  const { limit, cursor } = parse(listQuery, query ?? {});
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
