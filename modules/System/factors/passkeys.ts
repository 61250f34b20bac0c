import type * as z from 'zod/mini';
import type { Change } from '#shared/db/writes.ts';
import { log } from '#shared/log/log.ts';
import { type AdminRecord, type Passkey, sameFactors } from '../admins/admin-record.ts';
import systemErrors from '../errors.ts';
import { algorithms, assertRoom, describeSite, toSignedChallenge } from './passkey-options.ts';
import type { assertion } from './proof-schema.ts';
import type { firstProof } from './set-up-schema.ts';

export type Assertion = z.infer<typeof assertion>;
export type Attestation = NonNullable<z.infer<typeof firstProof.passkey>>;

/** 1023 bytes, as WebAuthn says, in base64url. */
const longestId = 1364;

// Loaded on first use: most logins need no passkey.
const load = () => import('@simplewebauthn/server');

/** What every answer of a browser must say. */
function expectations(challenge: string) {
  const { id: expectedRPID, origin: expectedOrigin } = describeSite();
  const expectedChallenge = toSignedChallenge(challenge).toString('base64url');
  return { expectedRPID, expectedOrigin, expectedChallenge, requireUserVerification: true };
}

/**
 * Checks what a passkey of an administrator signed.
 *
 * @param challenge whose options the browser got
 * @returns the change that records its use: its condition fails if a passkey was used, added or removed meanwhile.
 *   Undefined if the signature is not good
 */
export async function verifyAssertion(
  record: AdminRecord,
  response: Assertion,
  challenge: string,
): Promise<Change | undefined> {
  const { id: adminId, passkeys = [] } = record;
  const used = passkeys.find(({ id }) => id === response.id);
  if (!used) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const { id, key, counter } = used;
  const verified = await orRefusal(adminId, () =>
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      credential: { id, publicKey: new Uint8Array(Buffer.from(key, 'base64url')), counter },
      ...expectations(challenge),
    }),
  );
  if (!verified?.verified) return undefined;
  const now = new Date().toISOString();
  const renewed = { ...used, counter: verified.authenticationInfo.newCounter, last_used_at: now };
  return {
    set: { passkeys: passkeys.map((each) => (each === used ? renewed : each)) },
    expect: { passkeys },
  };
}

/** A signature that is not good is refused as a wrong code is. The log says why: a wrong `PUBLIC_URL` is found there. */
async function orRefusal<T>(adminId: string, verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.warn('factor.passkey_refused', { admin_id: adminId, error });
    return undefined;
  }
}

/**
 * Checks a new passkey.
 *
 * @param setup whose options the browser got
 * @returns the change that stores it; undefined if the answer of the browser is not good
 * @throws AppError `passkey.exists`, `passkey.too_many`
 */
export async function addPasskey(
  record: AdminRecord,
  response: Attestation,
  setup: string,
  name: string,
): Promise<Change | undefined> {
  const { id: adminId, session_epoch, passkeys = [] } = record;
  assertRoom(record);
  const verified = await orRefusal(adminId, () => verifyNew(response, setup));
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  if (passkeys.some((each) => each.id === id)) throw systemErrors.create('passkey.exists');
  const added: Passkey = {
    id,
    name,
    key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: response.response.transports ?? [],
    created_at: new Date().toISOString(),
    last_used_at: null,
  };
  return {
    set: { two_factor: true, passkeys: [...passkeys, added] },
    expect: { session_epoch, ...sameFactors(record) },
  };
}

async function verifyNew(response: Attestation, setup: string) {
  const { verifyRegistrationResponse } = await load();
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const object = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.response.attestationObject, 'base64url')),
  );
  // No statement was asked for. To check one with certificates, the library would ask hosts that they name.
  const isPlain = ['none', 'packed'].includes(object.get('fmt'));
  if (!isPlain || object.get('attStmt').get('x5c') !== undefined)
    throw new Error('attestation not asked for');
  if (response.id.length > longestId) throw new Error('credential ID too long');
  return verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    supportedAlgorithmIDs: algorithms,
    ...expectations(setup),
  });
}
