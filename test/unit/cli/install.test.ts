import '../../support/environment.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { inAnotherProcess } from '../../support/database.ts';

/** A database that gives these answers in order, and records the names of operations. */
async function startDatabase(answers: [operation: string, status: number, body: object][]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.headers['x-amz-target']).split('.')[1] ?? '');
    const [, status, body] = answers[asked.length - 1] ?? ['', 500, {}];
    request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { endpoint: `http://127.0.0.1:${port}`, asked, stop };
}

const refusal = (name: string) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}` });

test('waits for a new table until the database knows it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'install-'));
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
    await inAnotherProcess({ DYNAMODB_ENDPOINT: database.endpoint }, async () => {
      const { install } = await import('#cli/install.ts');
      const installing = install({ tableName: 'table', modules: [], dataDir });
      await expect(installing).rejects.toMatchObject({ name: 'AccessDeniedException' });
    });
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true });
  }
  expect(database.asked).toEqual(answers.map(([operation]) => operation));
});
