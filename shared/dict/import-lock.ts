import { createHash } from 'node:crypto';
import { holds, singleKey, transact, updateItem, type Write } from '#shared/db/items.ts';
import { withoutJoin } from '#shared/db/joined-writes.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';

/** An import that has written nothing for this long is abandoned. */
const abandonedAfterMs = 60_000;
const lifetimeSeconds = 86_400;

/** Only one import of a type runs at a time. */
export type ImportLock = ReturnType<typeof createImportLock>;

/**
 * The lock belongs to a request, which is plain data, not to a process: a repeated request continues an interrupted
 * import at once, and two processes with the same request may hold it together, because they want the same state.
 *
 * The clocks of the instances decide whether a lock is abandoned, because DynamoDB has no clock to compare with. A
 * wrong clock can take a lock too early; the other import then fails at its next transaction, so imports never mix.
 */
export function createImportLock(typeKey: string, request: unknown) {
  const key = singleKey(`DICT_IMPORT#${typeKey}`);
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
  const isOurs = { expect: { request: hash } };
  /** The write that releases the lock, for the last transaction. */
  const release = (): Write => removeItem(key, isOurs);
  /** The write that keeps the lock, for each transaction of the import; its condition fails once the lock is lost. */
  const keep = (): Write => changeItem(key, { set: { renewed_at: Date.now() }, ...isOurs });

  /** @throws AppError `dict.import_running` while another import holds the lock */
  async function take(): Promise<void> {
    const now = Date.now();
    const ends = Math.floor(now / 1000) + lifetimeSeconds;
    const { Update } = changeItem(key, { set: { request: hash, renewed_at: now, [ttlAttribute]: ends } });
    const locking = {
      ...Update,
      ConditionExpression: 'attribute_not_exists(pk) OR #request = :set_request OR #renewed_at < :abandoned',
      ExpressionAttributeValues: {
        ...Update.ExpressionAttributeValues,
        ':abandoned': now - abandonedAfterMs,
      },
    };
    await withoutJoin(() => updateItem(locking, (cause) => new AppError('dict.import_running', { cause })));
  }

  /** Releases the lock outside of a transaction. Never throws: a lock that stays is abandoned after a minute. */
  async function tryRelease(): Promise<void> {
    try {
      // False if another import holds it, or if it is gone.
      await withoutJoin(() => holds(transact([release()])));
    } catch (error) {
      log.warn('dict.import_lock_left', { type_key: typeKey, error });
    }
  }

  return { take, keep, release, tryRelease };
}

export const writtenKeys: ListWrittenKeys = () => [`DICT_IMPORT#*`];
