import { recordBegun } from '#shared/audit/recording.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { nowSeconds } from '#shared/auth/session.ts';
import { ConditionError } from '#shared/db/errors.ts';
import type { Attributes } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { readSettings } from '#shared/settings/store.ts';
import { type AdminRecord, admins, findNextStep, sameFactors } from '../admins/admin-record.ts';
import { type AdminLogin, beginSession, loginAttributes } from '../admins/begin-session.ts';
import { login } from '../admins/settings.ts';
import systemErrors from '../errors.ts';
import { createChallenge } from '../factors/login-challenge.ts';
import type { SsoIdentity } from './provider.ts';

// Logins without a password: by the provider, and by an invitation.

/** Longest login by the provider, in seconds. */
const mostSeconds = 12 * 3600;

export type LoginChallenge = ReturnType<typeof createChallenge>;

/** Begins the session of an administrator who has logged in at the provider, as {@link enterAdmin} does. */
export const enterBySso = (
  record: AdminRecord,
  { endsAt, issuer, subject }: SsoIdentity,
  origin: LoginOrigin,
): Promise<AdminLogin | LoginChallenge> =>
  enterAdmin(record, origin, Math.min(endsAt, nowSeconds() + mostSeconds), {
    sso_issuer: issuer,
    sso_subject: subject,
  });

/**
 * Begins the session of an administrator, or asks for the second factor, as after a password.
 *
 * @param endsAt latest end of the session, in Unix seconds. @default as usual
 * @param expect values of the record that must not have changed
 * @throws AppError `auth.sso_invalid` if the administrator has changed since the record was read
 */
export async function enterAdmin(
  record: AdminRecord,
  origin: LoginOrigin,
  endsAt?: number,
  expect: Attributes = {},
): Promise<AdminLogin | LoginChallenge> {
  const { two_factor: mode } = await readSettings(login);
  if (endsAt !== undefined && endsAt <= nowSeconds()) throw systemErrors.create('auth.sso_invalid');
  const next = findNextStep(record, mode);
  if (next) {
    recordBegun('auth.factor_required');
    return createChallenge(record, next, endsAt);
  }
  try {
    // A factor that was just set up is asked for.
    return await beginSession(record, {
      origin,
      change: { expect: { ...sameFactors(record), ...expect } },
      endsAt,
    });
  } catch (cause) {
    if (cause instanceof ConditionError) throw systemErrors.create('auth.sso_invalid', { cause });
    throw cause;
  }
}

/** The last login, and what its condition compares. */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: [...loginAttributes, 'factor_secret', 'passkeys', 'sso_issuer', 'sso_subject'],
  },
];
