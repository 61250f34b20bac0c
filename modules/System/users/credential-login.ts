import { settleAll } from '#shared/async/settle-all.ts';
import { retryOnConflict } from '#shared/db/entity.ts';
import type { Write } from '#shared/db/items.ts';
import { findMobileClaim, findUserByMobile, findUserByOpenId } from './find-user.ts';
import type { UserLogin } from './schema.ts';
import { type LoginFrom, startFirstSession, startSession } from './start-session.ts';
import type { OpenId, Terminal } from './terminal.ts';
import { openIdAttributes } from './user-record.ts';

/** A verified credential: a mobile, an open ID, or both. */
interface Credential {
  mobile?: string;
  openId?: OpenId;
  /** Marks a code as used, in the transaction of the login; needs a refusal. */
  spend?: Write;
  from?: LoginFrom;
}

/**
 * Finds the user of a credential, and the parts of it to be bound. The mobile decides first, since it outlives a
 * WeChat account. If no user has it, the open ID decides, unless its user has a mobile. An open ID never moves.
 */
export async function findCredentialOwner(
  { mobile, openId }: Credential,
  findingClaim = mobile === undefined ? undefined : findMobileClaim(mobile),
) {
  const [byMobile, byOpenId] = await settleAll([
    mobile === undefined ? undefined : findUserByMobile(mobile, findingClaim),
    openId === undefined ? undefined : findUserByOpenId(openId),
  ]);
  const isFree = mobile === undefined || byOpenId?.mobile === undefined;
  // The two searches are separate reads: a login between them may have bound the open ID to the mobile's user.
  const isBound =
    byOpenId !== undefined || (openId && byMobile?.[openIdAttributes[openId.app]] === openId.openId);
  return {
    user: byMobile ?? (isFree ? byOpenId : undefined),
    unbound: { mobile: byMobile ? undefined : mobile, openId: isBound ? undefined : openId },
  };
}

/**
 * Logs in the user of a credential. If several first logins run at once, one creates the user.
 *
 * @throws AppError `auth.principal_disabled`; the refusal of `spend`; `version_conflict` if the user keeps changing
 */
export async function logInByCredential(
  credential: Credential,
  terminal: Terminal,
  finding = findCredentialOwner(credential),
): Promise<UserLogin> {
  const { spend, from } = credential;
  let first: typeof finding | undefined = finding;
  return retryOnConflict(5, async () => {
    const { user, unbound } = await (first ?? findCredentialOwner(credential));
    first = undefined;
    const start = { terminal, spend, unbound, from };
    return user ? startSession(user, start) : startFirstSession(start);
  });
}
