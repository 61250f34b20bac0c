import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { LocalServer } from './local-server.ts';

/** Everything that the table of a local server holds, as JSON; for looking for what must not be there. */
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
