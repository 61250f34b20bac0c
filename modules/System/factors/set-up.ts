import { nowSeconds } from '#shared/auth/session.ts';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import type { Change } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { AdminRecord } from '../admins/admin-record.ts';
import { encryptSecret, wrongCode } from './pass-factor.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { createTotpSecret, findTotpStep, toKeyUri } from './totp.ts';

const purpose = 'factor_setup';
const lifetimeSeconds = 900;

/** A new secret, which counts when a code of it was given. */
export interface SetUp {
  secret: string;
  uri: string;
  setup: string;
  expires_at: string;
}

/** Creates a secret for an administrator. Nothing is stored: `setup` holds it, encrypted. */
export async function createSetUp({
  id,
  account,
  session_epoch,
  factor_since = '',
}: AdminRecord): Promise<SetUp> {
  const secret = await createTotpSecret();
  const expiresAt = nowSeconds() + lifetimeSeconds;
  const text = JSON.stringify([secret, session_epoch, factor_since, expiresAt]);
  return {
    secret,
    uri: await toKeyUri(secret, account),
    setup: encrypt(text, purpose, id),
    expires_at: new Date(expiresAt * 1000).toISOString(),
  };
}

/**
 * Checks the first code of a new secret.
 *
 * @returns the recovery codes, and the change that stores the factor: its condition fails if the administrator got
 *   another factor meanwhile
 * @throws AppError `request.invalid` for `body.setup` or `body.code`
 */
export async function confirmSetUp(
  record: AdminRecord,
  setup: string,
  code: string,
): Promise<{ codes: string[]; change: Change }> {
  const { id, session_epoch, factor_secret } = record;
  const secret = openSetUp(setup, record);
  const step = await findTotpStep(secret, code.replaceAll(/\s/g, ''));
  if (step === undefined) throw wrongCode();
  const { codes, macs } = createRecoveryCodes(id);
  const factor = {
    two_factor: true,
    factor_secret: encryptSecret(secret, id),
    factor_since: new Date().toISOString(),
    factor_step: step,
    factor_codes: macs,
  };
  return { codes, change: { set: factor, expect: { session_epoch, factor_secret } } };
}

/** It is void after a new password, and after another factor was set up. */
function openSetUp(setup: string, { id, session_epoch, factor_since = '' }: AdminRecord): string {
  const text = decrypt(setup, purpose, id);
  const [secret, epoch, since, expiresAt] = text === undefined ? [] : JSON.parse(text);
  if (expiresAt > nowSeconds() && epoch === session_epoch && since === factor_since) return secret;
  throw new AppError('request.invalid', { errors: [{ path: 'body.setup', message: 'rule.factor_setup' }] });
}
