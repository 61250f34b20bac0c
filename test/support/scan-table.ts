import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { RunningServer } from './local-server.ts';

/** All items in the table of a local server. */
export async function scanItems({ dataDir }: RunningServer): Promise<Record<string, unknown>[]> {
  const { environment } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'));
  const base = new DynamoDBClient({
    endpoint: environment.DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const client = DynamoDBDocumentClient.from(base);
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName: environment.TABLE_NAME }));
  base.destroy();
  return pages.flatMap(({ Items = [] }) => Items);
}

/** The whole table of a local server as JSON, to search it for values that must not be stored. */
export const scanTable = async (server: RunningServer): Promise<string> =>
  JSON.stringify(await scanItems(server));
