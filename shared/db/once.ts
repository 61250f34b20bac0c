import { holds, singleKey, transact } from './items.ts';
import { withoutJoin } from './joined-writes.ts';
import { ttlAttribute } from './table.ts';
import { putNew } from './writes.ts';

/**
 * Consumes a single-use ID.
 *
 * @param kind what it is, such as `confirm`
 * @param expiresAt Unix seconds after which it is refused for its age; the use is remembered until then
 * @returns whether this was the first use
 */
export function useOnce(kind: string, id: string, expiresAt: number): Promise<boolean> {
  return useAllOnce(kind, [{ id, expiresAt }]);
}

/**
 * Consumes several single-use IDs of a kind, all or none.
 *
 * @param uses 1 to 100 different IDs
 * @returns whether this was the first use of each
 */
export function useAllOnce(
  kind: string,
  uses: readonly { id: string; expiresAt: number }[],
): Promise<boolean> {
  const writes = uses.map(({ id, expiresAt }) =>
    putNew({ ...singleKey(`ONCE#${kind}#${id}`), [ttlAttribute]: expiresAt }),
  );
  return withoutJoin(() => holds(transact(writes)));
}
