import { randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import { partitionOf, putRow, takeClaim, versionConflict } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { type Refusal, transact, type Write } from '#shared/db/items.ts';
import { choosePartitions } from '#shared/db/paging/spread-index.ts';
import { countUser } from './counters.ts';
import { maskMobile, type User } from './profile.ts';
import type { OpenId, Terminal } from './terminal.ts';
import { openIdAttributes, type UserRecord, userClaims, users } from './user-record.ts';

export interface NewUser {
  id: string;
  terminal: Terminal;
  mobile?: string;
  openId?: OpenId;
  passwordHash?: string;
}

export const firstEpoch = 1;
const maxAttempts = 10;

export const createUserId = (): string => ulid();

/**
 * Creates a user, with the claims of mobile, open ID and number and the counters, in one transaction.
 *
 * @param alongside first writes of the transaction; a ConditionError names those that failed without a refusal
 * @param isTaken creates the error if another user has the mobile or open ID
 */
export async function createUser(
  newUser: NewUser,
  alongside: readonly Write[] = [],
  isTaken: Refusal = versionConflict,
): Promise<User> {
  const indexKeys = await choosePartitions([partitionOf(users.indexes.byCreation, {})]);
  for (let attempt = 1; ; attempt += 1) {
    const record = createRecord(newUser);
    const { user } = record;
    const first = [...alongside, ...listClaims(newUser, isTaken)];
    try {
      await transact([
        ...first,
        takeClaim(userClaims.sn(user.sn), user.id),
        putRow(users, { id: user.id, ...record }, indexKeys),
        ...countUser(1, newUser.terminal),
      ]);
      return user;
    } catch (error) {
      const isCollision =
        error instanceof ConditionError && error.failed.every((index) => index === first.length);
      if (!isCollision || attempt === maxAttempts) throw error;
    }
  }
}

export function listClaims({ id, mobile, openId }: Omit<NewUser, 'terminal'>, isTaken: Refusal): Write[] {
  return [
    ...(mobile ? [takeClaim(userClaims.mobile(mobile), id, isTaken)] : []),
    ...(openId ? [takeClaim(userClaims.openId(openId), id, isTaken)] : []),
  ];
}

function createRecord({ id, terminal, mobile, openId, passwordHash }: NewUser): UserRecord {
  const now = new Date().toISOString();
  const sn = String(randomInt(100_000_000, 1_000_000_000));
  const profile = { nickname: '', avatar: '', status: 'enabled' } as const;
  return {
    user: { id, sn, mobile: maskMobile(mobile), ...profile, created_at: now },
    mobile,
    password_hash: passwordHash,
    session_epoch: firstEpoch,
    ...(openId && { [openIdAttributes[openId.app]]: openId.openId }),
    terminal,
    // Later logins are stored in a separate item.
    last_login_at: now,
  };
}
