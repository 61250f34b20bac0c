import { settleAll } from '#shared/async/settle-all.ts';
import { identifyCaller } from '#shared/audit/recording.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { findRow } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import type { Change } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { type AdminRecord, adminRecords, admins, factorAttributes } from '../admins/admin-record.ts';
import { type AdminLogin, beginSession, loginAttributes } from '../admins/begin-session.ts';
import systemErrors from '../errors.ts';
import {
  assertBound,
  challengeInvalid,
  countTry,
  requireChallenge,
  spendChallenge,
} from './login-challenge.ts';
import { type Proof, passFactor } from './pass-factor.ts';
import { confirmSetUp, createSetUp, type FirstProof, type SetUpMethod } from './set-up.ts';

interface SecondStep {
  challenge: string;
  /** Stored with the login. */
  origin: LoginOrigin;
}

/**
 * Logs an administrator in by the second factor. A challenge begins one session, and is void after five tries.
 *
 * @throws AppError `auth.challenge_invalid`; `auth.code_invalid`, also if another request used the code meanwhile
 */
export async function loginBySecondFactor(step: SecondStep & Proof): Promise<AdminLogin> {
  const { challenge, record } = await tryChallenge(step.challenge, 'second');
  const change = await passFactor(record, step);
  if (!change) throw systemErrors.create('auth.code_invalid');
  return begin(record, step.origin, change, challenge);
}

/** Begins to set up the second factor of an administrator who needs one to log in. */
export async function beginSetUpAtLogin(challengeText: string, method: SetUpMethod) {
  const challenge = requireChallenge(challengeText, 'setup');
  const record = await findRow(adminRecords, { id: challenge.adminId });
  assertBound(challenge, record);
  return createSetUp(record, method);
}

/** Stores the second factor of an administrator who needs one, and logs them in. @throws as {@link loginBySecondFactor} */
export async function loginBySetUp(step: SecondStep & FirstProof): Promise<AdminLogin & { codes: string[] }> {
  const { challenge, record } = await tryChallenge(step.challenge, 'setup');
  const { codes, change } = await confirmSetUp(record, step);
  return { ...(await begin({ ...record, two_factor: true }, step.origin, change, challenge)), codes };
}

/** Counts a try, and reads the administrator, who must be as they were when the challenge was made. */
async function tryChallenge(text: string, kind: 'second' | 'setup') {
  const challenge = requireChallenge(text, kind);
  const [record, isCounted] = await settleAll([
    findRow(adminRecords, { id: challenge.adminId }),
    countTry(challenge),
  ]);
  if (record) identifyCaller(record);
  if (!isCounted) throw challengeInvalid();
  assertBound(challenge, record);
  return { challenge, record };
}

async function begin(
  record: AdminRecord,
  origin: LoginOrigin,
  change: Change,
  challenge: ReturnType<typeof requireChallenge>,
): Promise<AdminLogin> {
  try {
    const more = [spendChallenge(challenge)];
    return await beginSession(record, {
      origin,
      change,
      hasFactor: true,
      more,
      endsAt: challenge.sessionEnd,
    });
  } catch (cause) {
    // Another request used the code, or changed the administrator.
    if (cause instanceof ConditionError) throw systemErrors.create('auth.code_invalid', { cause });
    throw cause;
  }
}

/** The last login, and the factor: never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  'LOGIN_CHALLENGE#*',
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: [...loginAttributes, ...factorAttributes],
  },
];
