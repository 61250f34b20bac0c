import { createHash } from 'node:crypto';
import { environment } from '#shared/config/environment.ts';
import type { AdminRecord, Passkey } from '../admins/admin-record.ts';
import systemErrors from '../errors.ts';

// What a browser needs to ask for a passkey. Nothing here needs the library: most logins ask for none.

/** Most passkeys of an administrator. */
const mostPasskeys = 10;

/** @throws AppError `passkey.too_many` */
export function assertRoom({ passkeys = [] }: AdminRecord): void {
  if (passkeys.length >= mostPasskeys) throw systemErrors.create('passkey.too_many');
}

/** The site that passkeys belong to. A browser uses them at this origin only. */
export function describeSite(): { id: string; origin: string } {
  const { hostname: id, origin } = new URL(environment().publicUrl);
  return { id, origin };
}

/**
 * What an authenticator signs: the digest of a challenge or set-up of this service, which is random, and bound to its
 * administrator, use and end. So nothing more is stored for it.
 */
export const toSignedChallenge = (text: string): Buffer => createHash('sha256').update(text).digest();

/** COSE numbers of EdDSA, ES256 and RS256: all authenticators know one of them. */
export const algorithms = [-8, -7, -257];

/** Names credentials to a browser. */
const toDescriptors = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports: [...transports] }));

// Who finds an open session and a key beside it has no factor yet.
const userVerification = 'required' as const;

/** The options of `navigator.credentials.get()`, as `PublicKeyCredentialRequestOptionsJSON`. */
export const toRequestOptions = (challenge: string, passkeys: readonly Passkey[], seconds: number) => ({
  challenge: toSignedChallenge(challenge).toString('base64url'),
  rpId: describeSite().id,
  allowCredentials: toDescriptors(passkeys),
  userVerification,
  timeout: seconds * 1000,
});

/**
 * The options of `navigator.credentials.create()`, as `PublicKeyCredentialCreationOptionsJSON`.
 *
 * @throws AppError `passkey.too_many`
 */
export function toCreationOptions(setup: string, record: AdminRecord, seconds: number) {
  assertRoom(record);
  const { id, account, name, passkeys = [] } = record;
  const site = describeSite().id;
  return {
    challenge: toSignedChallenge(setup).toString('base64url'),
    rp: { id: site, name: site },
    user: { id: Buffer.from(id).toString('base64url'), name: account, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    excludeCredentials: toDescriptors(passkeys),
    authenticatorSelection: {
      residentKey: 'preferred' as const,
      requireResidentKey: false,
      userVerification,
    },
    attestation: 'none' as const,
    timeout: seconds * 1000,
  };
}
