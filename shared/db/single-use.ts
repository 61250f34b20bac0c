import { holds, singleKey, transact } from './items.ts';
import { withoutJoin } from './joined-writes.ts';
import { ttlAttribute } from './table.ts';
import { putNew } from './writes.ts';

interface SingleUseToken {
  id: string;
  /** Unix seconds after which the token is refused for its age; the use is remembered until then. */
  expiresAt: number;
}

/**
 * Redeems single-use tokens of a kind, such as `confirm_token`: 1 to 100 with different IDs, all or none.
 *
 * @returns whether this was the first use of each
 */
export function redeemTokens(kind: string, tokens: readonly SingleUseToken[]): Promise<boolean> {
  const writes = tokens.map(({ id, expiresAt }) =>
    putNew({ ...singleKey(`ONCE#${kind}#${id}`), [ttlAttribute]: expiresAt }),
  );
  return withoutJoin(() => holds(transact(writes)));
}
