import { identifyCaller, recordBegun } from '#shared/audit/recording.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { partitionOf, queryRows } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import type { createChallenge } from '../factors/login-challenge.ts';
import {
  type AdminRecord,
  adminRecords,
  admins,
  findAdminByAccount,
  findNextStep,
  sameFactors,
} from './admin-record.ts';
import { type AdminLogin, beginSession, loginAttributes } from './begin-session.ts';

type LoginChallenge = ReturnType<typeof createChallenge>;

interface LoginRequest {
  account: string;
  password: string;
  /** Stored with the login. */
  origin: LoginOrigin;
  /** The setting `login.two_factor`. */
  mode: 'off' | 'optional' | 'required';
  /** Called beside the write if the password is right. */
  accept?: (() => Promise<void>) | undefined;
}

/**
 * Logs an administrator in. An unknown account and a wrong password get the same answer at the same cost.
 *
 * @param indexed result of {@link findIndexedAdmin}
 * @returns a challenge if the administrator has a second factor, or needs one
 * @throws AppError `auth.credentials_invalid`; `auth.principal_disabled`, but only if the password is correct
 */
export async function startLogin(
  request: LoginRequest,
  indexed?: AdminRecord,
): Promise<AdminLogin | LoginChallenge> {
  const { account } = request;
  let stale = indexed;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryLogin(stale ?? (await findAdminByAccount(account)), request);
    } catch (error) {
      const isChanged = error instanceof ConditionError;
      const isRefused = error instanceof AppError && error.status === 401;
      const isWorthAnother = isChanged || (isRefused && stale && (await isOutdated(stale, account)));
      if (!isWorthAnother) throw error;
      // The record has changed, perhaps by another login at the same time: read it again.
      if (attempt === 3) throw systemErrors.create('auth.credentials_invalid', { cause: error });
      stale = undefined;
    }
  }
}

/** Logs an administrator in who has no second factor. @throws AppError as {@link startLogin}, `auth.factor_required` */
export async function loginAdmin(
  account: string,
  password: string,
  address: string,
  indexed?: AdminRecord,
  accept?: () => Promise<void>,
): Promise<AdminLogin> {
  const origin = { address, device: '' };
  const answer = await startLogin({ account, password, origin, mode: 'off', accept }, indexed);
  if ('token' in answer) return answer;
  throw new AppError('auth.factor_required');
}

/**
 * Finds the record of an account in an index, in one read. It may be slightly old: the transaction of a login
 * checks it, and a login is never refused because of it alone.
 */
export async function findIndexedAdmin(account: string): Promise<AdminRecord | undefined> {
  const partition = partitionOf(admins.indexes.byAccount, {});
  const { rows } = await queryRows(adminRecords, { ...partition, equals: account, limit: 1 });
  return rows[0];
}

/** Whether password or status have changed since the index was written. */
async function isOutdated(indexed: AdminRecord, account: string): Promise<boolean> {
  const item = await findAdminByAccount(account);
  return item?.password_hash !== indexed.password_hash || item?.status !== indexed.status;
}

async function tryLogin(
  record: AdminRecord | undefined,
  { password, origin, mode, accept }: LoginRequest,
): Promise<AdminLogin | LoginChallenge> {
  if (record) identifyCaller(record);
  const check = record ? verifyPassword(password, record.password_hash) : verifyNothing(password);
  const { isValid, isStale } = await check;
  if (!record || !isValid) throw systemErrors.create('auth.credentials_invalid');
  if (record.status !== 'enabled') throw unauthorized('auth.principal_disabled');

  const { password_hash } = record;
  const next = findNextStep(record, mode);
  if (next) return challenge(record, next, accept);
  const newHash = isStale ? await hashPassword(password) : password_hash;
  // The record must not have changed since it was checked: a factor that was just set up is asked for.
  const change = { set: { password_hash: newHash }, expect: { password_hash, ...sameFactors(record) } };
  return beginSession(record, { origin, change, accept });
}

/** The password is right, and is not enough. */
async function challenge(record: AdminRecord, kind: 'second' | 'setup', accept?: () => Promise<void>) {
  recordBegun('auth.factor_required');
  const { createChallenge } = await import('../factors/login-challenge.ts');
  await accept?.();
  return createChallenge(record, kind);
}

/** The last login, the hash at today's cost, and what the condition compares: never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: [...loginAttributes, 'password_hash', 'factor_secret', 'passkeys'],
  },
];
