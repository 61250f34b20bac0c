import { database } from '#shared/db/client.ts';

/**
 * Does something between the next read of an item and whatever its reader does then, once; for what
 * otherwise happens by chance.
 *
 * @param key part of the item's key
 */
export async function afterReading(key: string, act: () => Promise<unknown>): Promise<void> {
  const db = await database();
  const { send } = db;
  db.send = async (name, input) => {
    const output = await send(name, input);
    if (name.endsWith('GetItem') && JSON.stringify(input).includes(key)) {
      db.send = send;
      await act();
    }
    return output;
  };
}
