import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { holds, singleKey, transact } from './items.ts';
import { withoutJoin } from './joined-writes.ts';
import { ttlAttribute } from './table.ts';
import { putNew } from './writes.ts';

interface SingleUseToken {
  id: string;
  /** Unix seconds after which the token is refused for its age; the use is remembered until then. */
  expiresAt: number;
}

/** Redeems 1 to 100 different single-use tokens of a kind, all or none. @returns whether this was their first use */
export function redeemTokens(kind: string, tokens: readonly SingleUseToken[]): Promise<boolean> {
  const writes = tokens.map(({ id, expiresAt }) =>
    putNew({ ...singleKey(`ONCE#${kind}#${id}`), [ttlAttribute]: expiresAt }),
  );
  return withoutJoin(() => holds(transact(writes)));
}

export const writtenKeys: ListWrittenKeys = () => ['ONCE#*'];
