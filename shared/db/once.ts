import { holds, singleKey, transact } from './items.ts';
import { ttlAttribute } from './table.ts';
import { putNew } from './writes.ts';

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
export function useAllOnce(kind: string, uses: readonly SingleUse[]): Promise<boolean> {
  const writes = uses.map(({ id, expiresAt }) =>
    putNew({ ...singleKey(`ONCE#${kind}#${id}`), [ttlAttribute]: expiresAt }),
  );
  return holds(transact(writes));
}
