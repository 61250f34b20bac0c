import '../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { serve } from '../../doubles/serve.ts';
import { inAnotherProcess } from '../../support/database.ts';
import { createTempDir } from '../../support/local-server.ts';

/** A database that gives these answers in order, and records the names of operations. */
async function startDatabase(answers: [operation: string, status: number, body: object][]) {
  const asked: string[] = [];
  const double = await serve(({ headers }) => {
    asked.push(String(headers['x-amz-target']).split('.')[1] ?? '');
    const [, status, body] = answers[asked.length - 1] ?? ['', 500, {}];
    return { status, body };
  });
  return { ...double, asked };
}

const refusal = (name: string) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}` });

test('waits for a new table until the database knows it', async () => {
  const answers: Parameters<typeof startDatabase>[0] = [
    ['CreateTable', 200, {}],
    ['DescribeTable', 400, refusal('ResourceNotFoundException')],
    ['DescribeTable', 200, { Table: { TableStatus: 'CREATING' } }],
    ['DescribeTable', 200, { Table: { TableStatus: 'ACTIVE' } }],
    // Far enough.
    ['UpdateTimeToLive', 400, refusal('AccessDeniedException')],
  ];
  const database = await startDatabase(answers);
  try {
    await inAnotherProcess({ DYNAMODB_ENDPOINT: database.url }, async () => {
      const { install } = await import('#cli/install.ts');
      const installing = install({ tableName: 'table', modules: [], dataDir: createTempDir() });
      await expect(installing).rejects.toMatchObject({ name: 'AccessDeniedException' });
    });
  } finally {
    await database.stop();
  }
  expect(database.asked).toEqual(answers.map(([operation]) => operation));
});
