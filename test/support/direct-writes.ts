import { environment } from '#shared/config/environment.ts';
import { database } from '#shared/db/client.ts';
import { type Key, setAttributes } from './keys.ts';

// Changes of the table that clear no cache, as of a script.

export async function changeDirectly(key: Key, attributes: Record<string, unknown>): Promise<void> {
  const db = await database();
  await db.update({ TableName: environment().tableName, Key: { ...key }, ...setAttributes(attributes) });
}

export async function deleteDirectly(key: Key): Promise<void> {
  const db = await database();
  await db.delete({ TableName: environment().tableName, Key: { ...key } });
}

/** Puts items in one transaction. */
export async function putDirectly(items: readonly Record<string, unknown>[]): Promise<void> {
  const db = await database();
  const puts = items.map((item) => ({ Put: { Item: item, TableName: environment().tableName } }));
  await db.transactWrite({ TransactItems: puts });
}
