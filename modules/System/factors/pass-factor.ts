import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import type { Write } from '#shared/db/items.ts';
import type { Change } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { type AdminRecord, hasFactor } from '../admins/admin-record.ts';
import systemErrors from '../errors.ts';
import type { Assertion } from './passkeys.ts';
import { findRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

/** What is given of a second factor: a code, or what a passkey signed. */
export interface Proof {
  /** A code of the authenticator app, or a recovery code. */
  code?: string | undefined;
  passkey?: Assertion | undefined;
  /** That the passkey signed. */
  challenge?: string | undefined;
}

const purpose = 'factor';
export const encryptSecret = (secret: string, adminId: string): string => encrypt(secret, purpose, adminId);

/**
 * Checks a code of the authenticator app, a recovery code, or a passkey. Who calls it counts tries of the challenge.
 *
 * @returns the change that uses it up: its condition fails if it was used meanwhile. Undefined if it is wrong
 */
export function passFactor(
  record: AdminRecord,
  { code, passkey, challenge }: Proof,
): Promise<Change | undefined> {
  return passkey ? passPasskey(record, passkey, challenge) : passCode(record, code ?? '');
}

async function passPasskey(record: AdminRecord, passkey: Assertion, challenge = '') {
  // Loaded on first use, as what needs it: most administrators have no passkey.
  const { verifyAssertion } = await import('./passkeys.ts');
  return verifyAssertion(record, passkey, challenge);
}

async function passCode(record: AdminRecord, code: string): Promise<Change | undefined> {
  const { id, factor_secret, factor_step, factor_codes = [] } = record;
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    if (factor_secret === undefined) return undefined;
    const step = await findTotpStep(openSecret(factor_secret, id), digits, factor_step);
    if (step === undefined) return undefined;
    return { set: { factor_step: step }, expect: { factor_secret }, atMost: { factor_step: step - 1 } };
  }
  const used = findRecoveryCode(id, code, factor_codes);
  if (used === undefined) return undefined;
  const left = factor_codes.filter((mac) => mac !== used);
  return { set: { factor_codes: left }, expect: { factor_codes } };
}

/** @throws AppError `internal` if no key of `APP_KEY` opens it: `admin:unlock` helps then */
function openSecret(encrypted: string, adminId: string): string {
  const secret = decrypt(encrypted, purpose, adminId);
  if (secret !== undefined) return secret;
  log.error('factor.secret_unreadable', { admin_id: adminId });
  throw new AppError('internal');
}

/** A factor that was given. Both parts belong to one transaction. */
export interface UsedFactor {
  /** Uses it up: its condition fails if it was used meanwhile. */
  change: Change;
  /** Use the challenge of a passkey up. */
  writes: Write[];
}

/**
 * Checks the factor of an administrator who is logged in and has one.
 *
 * @throws AppError `factor.not_set`; `request.invalid` for `body.code` or `body.passkey`
 */
export async function requireFactor(record: AdminRecord, proof: Proof): Promise<UsedFactor> {
  if (!hasFactor(record)) throw systemErrors.create('factor.not_set');
  const writes = proof.passkey ? await spendOwnChallenge(record, proof.challenge) : [];
  const change = writes && (await passFactor(record, proof));
  if (!change) throw wrongProof(proof);
  return { change, writes };
}

/** Counts a try of a challenge that this administrator asked for. @returns what uses it up; undefined if it is not good */
async function spendOwnChallenge(record: AdminRecord, text: string | undefined) {
  const { countTry, readChallenge, spendChallenge } = await import('./login-challenge.ts');
  const challenge = readChallenge(text);
  const { id, session_epoch } = record;
  const isOwn = challenge?.kind === 'own' && challenge.adminId === id && challenge.epoch === session_epoch;
  return isOwn && (await countTry(challenge)) ? [spendChallenge(challenge)] : undefined;
}

export function wrongProof({ passkey }: { passkey?: unknown }): AppError {
  const [path, message] = passkey
    ? ['body.passkey', 'rule.factor_passkey']
    : ['body.code', 'rule.factor_code'];
  return new AppError('request.invalid', { errors: [{ path, message }] });
}
