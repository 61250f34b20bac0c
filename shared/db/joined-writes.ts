import { AsyncLocalStorage } from 'node:async_hooks';
import { settleAll } from '#shared/async/settle-all.ts';
import type { Write } from './write.ts';

/** Writes that belong to the first write of some work, such as the record of a change. */
export interface Join {
  /**
   * Makes the writes. It runs once more if the transaction that they joined was refused, or if its answer is missing:
   * it must then write the same items, and it must not write by itself.
   *
   * @param writes the transaction that they join
   */
  create(writes: readonly Write[]): Promise<readonly Write[]>;
  /** Called after the transaction that they joined. */
  onWritten(): void;
}

interface Scope extends Join {
  outer: Scope | undefined;
  isWritten: boolean;
  /** The transaction that the writes are joining now; never rejects. */
  joining?: Promise<void> | undefined;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/**
 * Runs work whose first transaction, update or deletion also writes what `join` creates: all or nothing. After a
 * refusal, the next write takes them along. Scopes nest: a first write takes the writes of every scope around it.
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
  // Another write of this work may be taking the joined ones along now. If it is refused, this one takes them.
  let open = findOpen();
  for (let busy = findBusy(open); busy; busy = findBusy(open)) {
    await busy;
    open = findOpen();
  }
  if (open.length === 0) return void (await send(writes));
  const { promise: joining, resolve } = Promise.withResolvers<void>();
  for (const scope of open) scope.joining = joining;
  try {
    const added = await settleAll(open.map(({ create }) => create(writes)));
    await send([...writes, ...added.flat()]);
    for (const scope of open) scope.isWritten = true;
    for (const { onWritten } of open) onWritten();
  } finally {
    for (const scope of open) scope.joining = undefined;
    resolve();
  }
}

/** Whether writes would join one that is sent now. */
export const isJoined = (): boolean => findOpen().length > 0;

const findBusy = (open: readonly Scope[]) => open.find(({ joining }) => joining)?.joining;

/** Scopes whose writes are not written, from the inside. */
function findOpen(): Scope[] {
  const open: Scope[] = [];
  for (let scope = scopes.getStore(); scope; scope = scope.outer) if (!scope.isWritten) open.push(scope);
  return open;
}
