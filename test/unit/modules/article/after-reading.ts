import { database } from '#shared/db/client.ts';

const name = 'afterReading';

/**
 * Does something between the next read of an item and whatever its reader does then, once; for what
 * otherwise happens by chance.
 *
 * @param key part of the item's key
 */
export async function afterReading(key: string, act: () => Promise<unknown>): Promise<void> {
  const { middlewareStack } = await database();
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const output = await next(args);
        if (/GetItem/.test(commandName) && JSON.stringify(args.input).includes(key)) {
          middlewareStack.remove(name);
          await act();
        }
        return output;
      },
    { name, step: 'initialize', priority: 'high' },
  );
}
