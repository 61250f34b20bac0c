import { describe, expect, test } from '@jest/globals';
import { describeThrown } from '#shared/log/log.ts';
import { inAnotherProcess } from '../../support/database.ts';

const key = { pk: 'TEST', sk: 'a' };
const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'TEST' } };

type Items = typeof import('#shared/db/items.ts');

/** Every operation on the table, by name. */
const calls: Record<string, (items: Items) => Promise<unknown>> = {
  getItem: ({ getItem }) => getItem(key),
  getItems: ({ getItems }) => getItems([key]),
  queryPage: ({ queryPage }) => queryPage(query),
  queryPartition: ({ queryPartition }) => queryPartition('TEST'),
  updateItem: ({ updateItem }) => updateItem({ Key: key, UpdateExpression: 'REMOVE a' }),
  deleteItem: ({ deleteItem }) => deleteItem(key),
  transact: ({ transact }) => transact([{ Put: { Item: key } }]),
};

async function failuresOf(environment: Record<string, string>): Promise<Record<string, unknown>> {
  const failures: Record<string, unknown> = {};
  await inAnotherProcess(environment, async () => {
    const items = await import('#shared/db/items.ts');
    await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        failures[name] = await call(items).catch((error) => error);
      }),
    );
  });
  return failures;
}

const all = (failure: object) =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, expect.objectContaining(failure)]));

/** A missing table or engine. */
export function describeFailures(): void {
  describe('failures', () => {
    test('of a table that does not exist say that the service is not installed', async () => {
      const failures = await failuresOf({ TABLE_NAME: 'not-installed' });

      expect(failures).toEqual(all({ code: 'database.not_installed', status: 503 }));
    });

    test('of a missing engine say that the database is unavailable, with the cause', async () => {
      const failures = await failuresOf({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' });

      expect(failures).toEqual(all({ code: 'database.unavailable', status: 503 }));
      for (const failure of Object.values(failures)) {
        expect(JSON.stringify(describeThrown(failure))).toContain('ECONNREFUSED');
      }
    });
  });
}
