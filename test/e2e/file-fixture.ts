import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { validFiles } from '../fixtures/hostile/files.ts';
import { projectRoot, type RunningServer } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';

export const fileData = z.looseObject({ id: z.string(), url: z.string(), cid: z.nullable(z.string()) });
const uploaded = z.object({ data: fileData });

/** Uploads a picture as an administrator and returns its record. */
export async function uploadPicture(server: RunningServer, token: string, name: string, cid = '') {
  const form = new FormData();
  form.append('type', 'image');
  form.append('cid', cid);
  form.append('file', new File([new Uint8Array(validFiles.png)], name));
  const response = await fetch(`${server.url}/adminapi/system/upload/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return z.parse(uploaded, await response.json()).data;
}

/** Changes the engine in a file's record. */
export async function setEngine(server: RunningServer, id: string, engine: string): Promise<void> {
  const { environment } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));
  const client = new DynamoDBClient({
    endpoint: environment.DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const key = { S: `FILE#${id}` };
  await client.send(
    new UpdateItemCommand({
      TableName: environment.TABLE_NAME,
      Key: { pk: key, sk: key },
      UpdateExpression: 'SET engine = :engine',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':engine': { S: engine } },
    }),
  );
  client.destroy();
}

/** Runs a command of the service beside a server. @returns exit code and output */
export async function runCommand(
  { dataDir }: RunningServer,
  ...args: string[]
): Promise<{ code: number; printed: string }> {
  const { code, printed, complaint } = await runService(projectRoot, { DATA_DIR: dataDir }, ...args);
  return { code, printed: printed + complaint };
}
