import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { LocalServer } from './local-server.ts';

/** The whole table of a local server as JSON, to search it for values that must not be stored. */
export async function scanTable({ dataDir }: LocalServer): Promise<string> {
  const { environment } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'));
  const client = new DynamoDBClient({
    endpoint: environment.DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Items = [] } = await client.send(new ScanCommand({ TableName: environment.TABLE_NAME }));
  client.destroy();
  return JSON.stringify(Items);
}
