import { randomBytes } from 'node:crypto';
import { nowSeconds } from '#shared/auth/session.ts';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import { holds, type Key, singleKey, transact, type Write } from '#shared/db/items.ts';
import { withoutJoin } from '#shared/db/joined-writes.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { type AdminRecord, hasFactor } from '../admins/admin-record.ts';
import systemErrors from '../errors.ts';
import { toRequestOptions } from './passkey-options.ts';

/**
 * `second`: the administrator has a second factor. `setup`: the login needs one to be set up first. `own`: who is logged
 * in gives the factor once more, by a passkey.
 */
type ChallengeKind = 'second' | 'setup' | 'own';

/** What a login with the right password gets in place of a token. It is encrypted: an invented one causes no read. */
interface LoginChallenge {
  id: string;
  kind: ChallengeKind;
  adminId: string;
  /** The administrator's epoch: a new password, a reset or a disabled account ends the challenge. */
  epoch: number;
  /** Unix seconds. */
  expiresAt: number;
  /** End of the session that it begins, if that is earlier than usual, in Unix seconds. */
  sessionEnd?: number | undefined;
}

const purpose = 'login_challenge';
const context = 'login-challenge';
export const challengeSeconds = 300;
const maxTries = 5;
/** A number of tries that no wrong code reaches. */
const spent = 1000;

const challengeKey = (id: string): Key => singleKey(`LOGIN_CHALLENGE#${id}`);

type ChallengeMethod = 'totp' | 'passkey' | 'recovery_code' | 'setup';

function listMethods({ factor_secret, passkeys }: AdminRecord, kind: ChallengeKind): ChallengeMethod[] {
  if (kind === 'setup') return ['setup'];
  return [
    ...(factor_secret ? ['totp' as const] : []),
    ...(passkeys ? ['passkey' as const] : []),
    'recovery_code',
  ];
}

/** Creates a challenge. Nothing is stored before the first try. @param sessionEnd Unix seconds. @default as usual */
export function createChallenge(record: AdminRecord, kind: ChallengeKind, sessionEnd?: number) {
  const { id: adminId, session_epoch, passkeys } = record;
  const expiresAt = Math.min(nowSeconds() + challengeSeconds, sessionEnd ?? Number.POSITIVE_INFINITY);
  const id = randomBytes(18).toString('base64url');
  const text = JSON.stringify([id, kind, adminId, session_epoch, expiresAt, sessionEnd]);
  const challenge = encrypt(text, purpose, context);
  return {
    challenge,
    methods: listMethods(record, kind),
    ...(passkeys && { passkey: toRequestOptions(challenge, passkeys, challengeSeconds) }),
    expires_at: new Date(expiresAt * 1000).toISOString(),
  };
}

/** Reads a challenge; asks no store. Undefined if this service did not make it, or if it has expired. */
export function readChallenge(challenge: unknown): LoginChallenge | undefined {
  const text = typeof challenge === 'string' ? decrypt(challenge, purpose, context) : undefined;
  if (text === undefined) return undefined;
  const [id, kind, adminId, epoch, expiresAt, sessionEnd] = JSON.parse(text);
  return expiresAt > nowSeconds()
    ? { id, kind, adminId, epoch, expiresAt, sessionEnd: sessionEnd ?? undefined }
    : undefined;
}

/** @throws AppError `auth.challenge_invalid`, also for a challenge of another kind */
export function requireChallenge(text: string, kind: ChallengeKind): LoginChallenge {
  const challenge = readChallenge(text);
  if (challenge?.kind !== kind) throw challengeInvalid();
  return challenge;
}

export const challengeInvalid = (cause?: unknown): AppError =>
  systemErrors.create('auth.challenge_invalid', { cause });

/** @throws AppError `auth.challenge_invalid` if the administrator has changed since the challenge was made */
export function assertBound(
  { kind, epoch }: LoginChallenge,
  record: AdminRecord | undefined,
): asserts record is AdminRecord {
  const isBound = record?.status === 'enabled' && record.session_epoch === epoch;
  if (!isBound || hasFactor(record) === (kind === 'setup')) throw challengeInvalid();
}

/**
 * Counts a try, before its code is compared: parallel tries cannot exceed the limit.
 *
 * @returns false if the challenge was used, or has no tries left
 */
export function countTry({ id, expiresAt }: LoginChallenge): Promise<boolean> {
  const count = { add: { tries: 1 }, set: { [ttlAttribute]: expiresAt }, atMost: { tries: maxTries - 1 } };
  // The audit log takes the entry of a login along with the session.
  return withoutJoin(() => holds(transact([changeItem(challengeKey(id), count)])));
}

/** The write that uses the challenge up. It fails if the challenge was used. */
export const spendChallenge = ({ id }: LoginChallenge): Write =>
  changeItem(challengeKey(id), { set: { tries: spent }, atMost: { tries: maxTries } }, challengeInvalid);
