import './smaller-types.ts';

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { describeDatabase } from './database.contract.ts';

// Jest needs the list of tests synchronously, so Java is checked here, not by the engine's own finder.
const { JAVA_HOME } = process.env;
const java = spawnSync(JAVA_HOME ? join(JAVA_HOME, 'bin', 'java') : 'java', ['-version'], {
  encoding: 'utf8',
});
const version = Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);

if (version >= 17) {
  describeDatabase('dynamodb-local');
} else {
  test('Java 17 is not installed here, so the contract is not run on DynamoDB Local', async () => {
    const start = startDynamoDbEngine({ dataDir: '.', environment: process.env, engine: 'dynamodb-local' });

    await expect(start).rejects.toThrow(/Java 17/);
  });
}
