import { settleAll } from '#shared/async/settle-all.ts';
import type { Write } from '#shared/db/items.ts';
import { findMobileClaim, findUserByMobile, findUserByOpenId } from './find-user.ts';
import type { OpenId } from './terminal.ts';
import { openIdAttributes, type UserRecord } from './user-record.ts';

/** What a credential proved of somebody: a mobile, an open ID, or both. */
export interface Proof {
  mobile?: string;
  openId?: OpenId;
  /** Uses the credential up, in the transaction of the login. */
  spend?: Write;
}

/** Whose a proof is. */
export interface ProvenUser {
  /** Undefined where there is no such user yet. */
  user: UserRecord | undefined;
  /** What of the proof is nobody's yet, and becomes the user's. */
  unbound: Pick<Proof, 'mobile' | 'openId'>;
}

/**
 * Finds whose a proof is. A mobile decides before an open ID, since it outlives the WeChat account; the user
 * of the open ID stands in where nobody has the mobile and that user has none. Nothing is taken away from a
 * user: an open ID that is another's stays there.
 *
 * @param findingClaim the search for the mobile's claim where it has begun already
 */
export async function findProvenUser(
  { mobile, openId }: Proof,
  findingClaim = mobile === undefined ? undefined : findMobileClaim(mobile),
): Promise<ProvenUser> {
  const [byMobile, byOpenId] = await settleAll([
    mobile === undefined ? undefined : findUserByMobile(mobile, findingClaim),
    openId === undefined ? undefined : findUserByOpenId(openId),
  ]);
  const isFree = mobile === undefined || byOpenId?.mobile === undefined;
  // The two searches are not one read: a login between them may have bound the open ID to the mobile's user.
  const isBound =
    byOpenId !== undefined || (openId && byMobile?.[openIdAttributes[openId.app]] === openId.openId);
  return {
    user: byMobile ?? (isFree ? byOpenId : undefined),
    unbound: { mobile: byMobile ? undefined : mobile, openId: isBound ? undefined : openId },
  };
}
