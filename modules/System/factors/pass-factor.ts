import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import type { Change } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { AdminRecord } from '../admins/admin-record.ts';
import systemErrors from '../errors.ts';
import { findRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

const purpose = 'factor';
export const encryptSecret = (secret: string, adminId: string): string => encrypt(secret, purpose, adminId);

/**
 * Checks a code of the authenticator app, or a recovery code.
 *
 * @returns the change that uses it up: its condition fails if the code was used meanwhile. Undefined for a wrong code
 */
export async function passFactor(record: AdminRecord, code: string): Promise<Change | undefined> {
  const { id, factor_secret, factor_step, factor_codes = [] } = record;
  if (factor_secret === undefined) return undefined;
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    const step = await findTotpStep(openSecret(factor_secret, id), digits, factor_step);
    if (step === undefined) return undefined;
    return { set: { factor_step: step }, expect: { factor_secret }, atMost: { factor_step: step - 1 } };
  }
  const used = findRecoveryCode(id, code, factor_codes);
  if (used === undefined) return undefined;
  const left = factor_codes.filter((mac) => mac !== used);
  return { set: { factor_codes: left }, expect: { factor_secret, factor_codes } };
}

/** @throws AppError `internal` if no key of `APP_KEY` opens it: `admin:unlock` helps then */
function openSecret(encrypted: string, adminId: string): string {
  const secret = decrypt(encrypted, purpose, adminId);
  if (secret !== undefined) return secret;
  log.error('factor.secret_unreadable', { admin_id: adminId });
  throw new AppError('internal');
}

/**
 * Checks the code of an administrator who is logged in and has a second factor.
 *
 * @throws AppError `factor.not_set`; `request.invalid` for `body.code`
 */
export async function requireFactor(record: AdminRecord, code = ''): Promise<Change> {
  if (record.factor_secret === undefined) throw systemErrors.create('factor.not_set');
  const change = await passFactor(record, code);
  if (!change) throw wrongCode();
  return change;
}

export const wrongCode = (): AppError =>
  new AppError('request.invalid', { errors: [{ path: 'body.code', message: 'rule.factor_code' }] });
