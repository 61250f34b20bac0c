import { randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import { toUser, type UserPrincipal } from '#shared/auth/principal.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { type Item, transact, type Write } from '#shared/db/items.ts';
import { indexes, type Key, keys } from '#shared/db/keys.ts';
import { choosePartition } from '#shared/db/spread-index.ts';
import { countNewUser } from './counters.ts';
import type { OpenId, Terminal } from './terminal.ts';
import { openIdAttributes } from './user-record.ts';

/** What a user begins with. */
export interface NewUser {
  /** A ULID of {@link createUserId}. */
  id: string;
  terminal: Terminal;
  mobile?: string;
  openId?: OpenId;
  passwordHash?: string;
}

/** A mobile or open ID has become somebody's meanwhile; nothing was written. */
export class ClaimTakenError extends Error {
  override readonly name = 'ClaimTakenError';
}

/** Epoch of a new user's sessions. */
export const firstEpoch = 1;
/** How often a number is drawn before a collision counts as a defect. */
const snTries = 10;

export const createUserId = (): string => ulid();

/** The write that makes something unique the property of a user. */
export const claim = (key: Key, id: string): Write => ({
  Put: { Item: { ...key, id }, ConditionExpression: 'attribute_not_exists(pk)' },
});

/**
 * Creates a user with mobile, open ID and number claimed and counted, all in one transaction.
 *
 * @param alongside writes of the same transaction, such as the first session; they come first in it
 * @throws ClaimTakenError when mobile or open ID is somebody's
 * @throws ConditionError when only conditions of `alongside` did not hold, with their indexes
 */
export async function createUser(newUser: NewUser, alongside: readonly Write[] = []): Promise<UserPrincipal> {
  const partition = await choosePartition(indexes.usersByCreation);
  for (let attempt = 1; ; attempt += 1) {
    const item = toItem(newUser, partition);
    const sn = claim(keys.userSn(String(item.sn)), newUser.id);
    const claims = listClaims(newUser);
    const put: Write = { Put: { Item: item, ConditionExpression: 'attribute_not_exists(pk)' } };
    try {
      await transact([...alongside, ...claims, sn, put, ...countNewUser(newUser.terminal)]);
      return toUser(item);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      const snIndex = alongside.length + claims.length;
      if (error.failed.some((index) => index >= alongside.length && index < snIndex)) {
        throw new ClaimTakenError('mobile or open ID is taken', { cause: error });
      }
      const isCollision = error.failed.every((index) => index === snIndex);
      if (!isCollision || attempt === snTries) throw error;
    }
  }
}

function listClaims({ id, mobile, openId }: NewUser): Write[] {
  return [
    ...(mobile ? [claim(keys.userMobile(mobile), id)] : []),
    ...(openId ? [claim(keys.userOpenId(openId.app, openId.openId), id)] : []),
  ];
}

function toItem({ id, terminal, mobile, openId, passwordHash }: NewUser, partition: string): Item {
  const now = new Date().toISOString();
  return {
    ...keys.user(id),
    id,
    sn: String(randomInt(100_000_000, 1_000_000_000)),
    mobile,
    nickname: '',
    avatar: '',
    status: 'enabled',
    password_hash: passwordHash,
    session_epoch: firstEpoch,
    ...(openId && { [openIdAttributes[openId.app]]: openId.openId }),
    terminal,
    // The first login; those after it are recorded apart.
    last_login_at: now,
    created_at: now,
    gsi1pk: partition,
    gsi1sk: id,
  };
}
