import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findDynamoDbLocal } from '#cli/local/dynamodb-engine.ts';
import { findDynoxide } from '../../../../cli/local/dynamodb/dynoxide.ts';
import { type LocalEngineName, startDynamoDbEngine } from '../../../../cli/local/dynamodb-engine.ts';

const environment = { PATH: process.env.PATH };
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'engine-'));
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

function connect(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new DynamoDBClient({ endpoint, region: 'local', credentials, maxAttempts: 1 });
}

const item = { id: { S: 'one' }, title: { S: '标题' } };

async function createTableWithItem(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: 'kept',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  await client.send(new PutItemCommand({ TableName: 'kept', Item: item }));
}

async function readItem(endpoint: string) {
  const client = connect(endpoint);
  const answer = await client.send(new GetItemCommand({ TableName: 'kept', Key: { id: { S: 'one' } } }));
  client.destroy();
  return answer.Item;
}

async function restartWithData(engine: LocalEngineName) {
  const first = await startDynamoDbEngine({ dataDir, environment, engine });
  const client = connect(first.endpoint);
  await createTableWithItem(client);
  client.destroy();
  await first.stop();

  const second = await startDynamoDbEngine({ dataDir, environment, engine });
  const kept = await readItem(second.endpoint);
  await second.stop();
  return { name: second.name, kept, exit: await second.exited, endpoint: second.endpoint };
}

describe('engine choice', () => {
  test('uses DYNAMODB_ENDPOINT and starts nothing', async () => {
    const endpoint = 'http://127.0.0.1:9';

    const engine = await startDynamoDbEngine({ dataDir, environment: { DYNAMODB_ENDPOINT: endpoint } });

    expect(engine).toMatchObject({ name: 'external', endpoint });
    await expect(engine.stop()).resolves.toBeUndefined();
  });

  test('names the three options in one line without an engine', async () => {
    const options = { dataDir, environment: { PATH: dataDir }, engine: 'dynamodb-local' as const };

    const failure = await startDynamoDbEngine(options).catch((error: Error) => error.message);

    expect(failure).toMatch(/DYNAMODB_ENDPOINT.*@dynoxide\/linux-x64.*Java 17/);
    expect(failure).not.toContain('\n');
  });

  test('refuses a Java older than 17', async () => {
    const java = join(dataDir, 'java');
    await writeFile(java, '#!/bin/sh\necho \'openjdk version "11.0.22" 2024-01-16\' >&2\n');
    await chmod(java, 0o755);

    expect(await findDynamoDbLocal({ PATH: `${dataDir}:/bin` })).toBeUndefined();
  });
});

if (findDynoxide()) {
  test('dynoxide keeps its data across a restart and ends on SIGTERM', async () => {
    const result = await restartWithData('dynoxide');

    expect(result).toMatchObject({ name: 'dynoxide', kept: item, exit: { code: 0 } });
    await expect(fetch(result.endpoint)).rejects.toThrow();
  });
} else {
  test('dynoxide is not installed on this platform, so its restart is not tried', () => {
    expect(findDynoxide()).toBeUndefined();
  });
}

test('DynamoDB Local keeps its data across a restart if Java 17 is installed', async () => {
  if (!(await findDynamoDbLocal(environment))) {
    const start = startDynamoDbEngine({ dataDir, environment, engine: 'dynamodb-local' });
    await expect(start).rejects.toThrow(/Java 17/);
    return;
  }

  const result = await restartWithData('dynamodb-local');

  expect(result).toMatchObject({ name: 'dynamodb-local', kept: item });
}, 120_000);
