import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type * as z from 'zod/mini';
import { type CommandName, toCommandAction } from '#shared/audit/commands.ts';
import { Recording } from '#shared/audit/recording.ts';
import { getItem } from '#shared/db/items.ts';
import { toAppError } from '#shared/errors/app-error.ts';

/**
 * Runs work that changes data, and records it in the audit log as a command of the operating system's user. Select the
 * stores first.
 *
 * @param name of the command
 * @param schema of its input; marks say which texts are kept
 * @param options.onlyChanges whether work that writes nothing leaves no entry
 * @param options.requestId of the entry, for a command that leaves several. @default a random one
 */
export async function recordCommand<Schema extends z.core.$ZodType, T>(
  name: CommandName,
  schema: Schema,
  input: z.output<Schema>,
  work: () => Promise<T>,
  { onlyChanges = false, requestId = randomUUID() }: { onlyChanges?: boolean; requestId?: string } = {},
): Promise<T> {
  // Without its database, a command fails here, before the audit log complains too.
  await getItem({ pk: 'HEALTH', sk: 'HEALTH' });
  const { username } = userInfo();
  const recording = new Recording({
    // The user is the ID too: the list of a user's commands needs one.
    actor: { kind: 'cli', id: username, account: username },
    channel: 'cli',
    action: toCommandAction(name),
    requestId,
    address: null,
    root: 'input',
    schema,
    onlyChanges,
  });
  recording.input = input;
  try {
    return await recording.run(work);
  } catch (error) {
    await recording.fail(toAppError(error));
    throw error;
  }
}
