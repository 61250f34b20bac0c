import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalEngineName, startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { tableSchema } from '#shared/db/table.ts';
import type { AskEngine } from '../../../../bench/accounting/account-database.ts';

export const tableName = 'accounting';

export const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

/** An engine with the service's table. */
export async function startEngine(engine: LocalEngineName) {
  const dataDir = await mkdtemp(join(tmpdir(), 'accounting-'));
  const server = await startDynamoDbEngine({ dataDir, environment: process.env, engine });
  const ask: AskEngine = async (operation, input) => {
    const target = { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const answer = await fetch(server.endpoint, {
      method: 'POST',
      headers: target,
      body: JSON.stringify(input),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text);
  };
  await ask('CreateTable', { TableName: tableName, ...tableSchema });
  return {
    endpoint: server.endpoint,
    ask,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** DynamoDB Local needs Java 17. */
export function hasJava(): boolean {
  const { JAVA_HOME } = process.env;
  const java = spawnSync(JAVA_HOME ? join(JAVA_HOME, 'bin', 'java') : 'java', ['-version'], {
    encoding: 'utf8',
  });
  return Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0) >= 17;
}
