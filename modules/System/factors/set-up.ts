import { randomBytes } from 'node:crypto';
import type * as z from 'zod/mini';
import { nowSeconds } from '#shared/auth/session.ts';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import type { Change } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type AdminRecord, hasFactor, sameFactors } from '../admins/admin-record.ts';
import { encryptSecret, wrongProof } from './pass-factor.ts';
import type { Attestation } from './passkeys.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import type { setUpData } from './set-up-schema.ts';
import { createTotpSecret, findTotpStep, toKeyUri } from './totp.ts';

const purpose = 'factor_setup';
const lifetimeSeconds = 900;

export type SetUpMethod = 'totp' | 'passkey';

/** The first use of what is set up. */
export interface FirstProof {
  setup: string;
  code?: string | undefined;
  passkey?: Attestation | undefined;
  /** The name of the passkey. */
  name?: string | undefined;
}

/** Begins to set up an app or a passkey. Nothing is stored: `setup` holds what has to be known, encrypted. */
export async function createSetUp(
  record: AdminRecord,
  method: SetUpMethod,
): Promise<z.infer<typeof setUpData>> {
  const { id, account, session_epoch } = record;
  // A passkey signs the set-up, so it is random.
  const secret = method === 'totp' ? await createTotpSecret() : randomBytes(18).toString('base64url');
  const expiresAt = nowSeconds() + lifetimeSeconds;
  const text = JSON.stringify([method, secret, session_epoch, nameState(record), expiresAt]);
  const setup = encrypt(text, purpose, id);
  const expires_at = new Date(expiresAt * 1000).toISOString();
  if (method === 'passkey') {
    const { toCreationOptions } = await import('./passkey-options.ts');
    return { passkey: toCreationOptions(setup, record, lifetimeSeconds), setup, expires_at };
  }
  return { secret, uri: await toKeyUri(secret, account), setup, expires_at };
}

/** Changes when an app or a passkey is added or removed, so a set-up is of one use. */
const nameState = ({ factor_since = '', passkeys = [] }: AdminRecord): string =>
  [factor_since, ...passkeys.map(({ created_at }) => created_at)].join();

/**
 * Checks the first use of what is set up.
 *
 * @returns the recovery codes, if they are new, and the change that stores the factor: its condition fails if the
 *   administrator got another factor meanwhile
 * @throws AppError `request.invalid` for `body.setup`, `body.code` or `body.passkey`; `passkey.exists`,
 *   `passkey.too_many`
 */
export function confirmSetUp(
  record: AdminRecord,
  proof: FirstProof,
): Promise<{ codes: string[]; change: Change }> {
  const method = proof.passkey ? 'passkey' : 'totp';
  const secret = openSetUp(proof.setup, method, record);
  return proof.passkey
    ? confirmPasskey(record, proof.passkey, proof)
    : confirmApp(record, secret, proof.code ?? '');
}

async function confirmApp(record: AdminRecord, secret: string, code: string) {
  const { id, session_epoch } = record;
  const step = await findTotpStep(secret, code.replaceAll(/\s/g, ''));
  if (step === undefined) throw wrongProof({});
  const { codes, macs } = createRecoveryCodes(id);
  const factor = {
    two_factor: true,
    factor_secret: encryptSecret(secret, id),
    factor_since: new Date().toISOString(),
    factor_step: step,
    factor_codes: macs,
  };
  return { codes, change: { set: factor, expect: { session_epoch, ...sameFactors(record) } } };
}

/** The first factor comes with recovery codes; a further passkey leaves them as they are. */
async function confirmPasskey(
  record: AdminRecord,
  passkey: Attestation,
  { setup, name = 'Passkey' }: FirstProof,
) {
  const { addPasskey } = await import('./passkeys.ts');
  const change = await addPasskey(record, passkey, setup, name);
  if (!change) throw wrongProof({ passkey });
  if (hasFactor(record)) return { codes: [], change };
  const { codes, macs } = createRecoveryCodes(record.id);
  return { codes, change: { ...change, set: { ...change.set, factor_codes: macs } } };
}

/** It is void after a new password, and after another factor was set up. */
function openSetUp(setup: string, method: SetUpMethod, record: AdminRecord): string {
  const text = decrypt(setup, purpose, record.id);
  const [kind, secret, epoch, state, expiresAt] = text === undefined ? [] : JSON.parse(text);
  const isGood = kind === method && epoch === record.session_epoch && state === nameState(record);
  if (isGood && expiresAt > nowSeconds()) return secret;
  throw new AppError('request.invalid', { errors: [{ path: 'body.setup', message: 'rule.factor_setup' }] });
}
