import { AsyncLocalStorage } from 'node:async_hooks';
import { settleAll } from '#shared/async/settle-all.ts';
import type { Write } from './write.ts';

/** Writes that belong to the first write of some work, such as the record of a change. */
export interface Join {
  /**
   * Makes the writes for a transaction. It runs for every transaction that is sent before one has succeeded: for one
   * after a refusal, and for those that are sent at the same time. Each call makes new items.
   *
   * @param writes the transaction that they join
   */
  create(writes: readonly Write[]): Promise<readonly Write[]>;
  /** Called after a transaction that they joined. */
  onWritten(): void;
}

interface Scope extends Join {
  outer: Scope | undefined;
  isWritten: boolean;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/**
 * Runs work whose first transaction, update or deletion also writes what `join` creates: all or nothing. After a
 * refusal or a missing answer, the next write does. Scopes nest: a write takes along those of every scope around it.
 */
export const joinWrite = <T>(join: Join, work: () => Promise<T>): Promise<T> => {
  const { create, onWritten } = join;
  return scopes.run({ create, onWritten, outer: scopes.getStore(), isWritten: false }, work);
};

/** Runs housekeeping, whose writes nothing joins: marks of an index, locks, counters of use. */
export const withoutJoin = <T>(work: () => Promise<T>): Promise<T> => scopes.run(undefined, work);

/**
 * Sends writes together with those that join them.
 *
 * @param send sends all or nothing; throws if they were not written, or if that is not known
 */
export async function sendJoined(
  writes: readonly Write[],
  send: (writes: readonly Write[]) => Promise<unknown>,
): Promise<void> {
  const open = findOpen();
  const added = await settleAll(open.map(({ create }) => create(writes)));
  await send([...writes, ...added.flat()]);
  for (const scope of open) {
    scope.isWritten = true;
    scope.onWritten();
  }
}

/** Whether writes would join one that is sent now. */
export const isJoined = (): boolean => findOpen().length > 0;

/** Scopes without a write that has succeeded, from the inside. */
function findOpen(): Scope[] {
  const open: Scope[] = [];
  for (let scope = scopes.getStore(); scope; scope = scope.outer) if (!scope.isWritten) open.push(scope);
  return open;
}
