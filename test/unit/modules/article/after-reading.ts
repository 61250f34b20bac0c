import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { database } from '#shared/db/client.ts';

/**
 * Does something once, between the next read of an item and the code that uses the result. It makes a race
 * certain.
 *
 * @param key part of the item's key
 */
export async function afterReading(key: string, act: () => Promise<unknown>): Promise<void> {
  const db = await database();
  const { send } = db;
  const sendAndAct = async (command: { input: object }, ...rest: []) => {
    const output: unknown = await Reflect.apply(send, db, [command, ...rest]);
    const isRead = command instanceof GetCommand || command instanceof BatchGetCommand;
    if (isRead && JSON.stringify(command.input).includes(key)) {
      Object.assign(db, { send });
      await act();
    }
    return output;
  };
  Object.assign(db, { send: sendAndAct });
}
