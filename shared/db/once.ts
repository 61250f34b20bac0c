import { ConditionError } from './errors.ts';
import { transact, type Write } from './items.ts';
import { keys } from './keys.ts';
import { ttlAttribute } from './table.ts';

/** One of the things that may be used once. */
export interface SingleUse {
  id: string;
  /** Unix seconds after which it is refused for its age; remembered until then. */
  expiresAt: number;
}

/**
 * Uses up a thing that may be used once.
 *
 * @param kind what it is, such as `confirm`
 * @param expiresAt Unix seconds after which it is refused for its age; remembered until then
 * @returns whether this was the first use
 */
export function useOnce(kind: string, id: string, expiresAt: number): Promise<boolean> {
  return useAllOnce(kind, [{ id, expiresAt }]);
}

/**
 * Uses up several things of a kind, all or none.
 *
 * @param uses 1 to 100, each of another thing
 * @returns whether this was the first use of each
 */
export async function useAllOnce(kind: string, uses: readonly SingleUse[]): Promise<boolean> {
  const remember = ({ id, expiresAt }: SingleUse): Write => {
    const Item = { ...keys.once(kind, id), [ttlAttribute]: expiresAt };
    return { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
  };
  try {
    await transact(uses.map(remember));
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
}
