import { environment } from '#shared/config/environment.ts';

// Codes as RFC 6238 has them: SHA-1, six digits, steps of 30 seconds. All authenticator apps know these.

/** Steps before and after the present one whose codes are taken too, because clocks differ. */
const skewSteps = 1;
/** As RFC 4226 recommends. */
const secretBytes = 20;

// Loaded on first use: most logins need no code.
const load = () => import('otpauth');

/** Creates a secret, in Base32. */
export async function createTotpSecret(): Promise<string> {
  const { Secret } = await load();
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth:` URI that an authenticator app reads from a QR code. */
export async function toKeyUri(secret: string, account: string): Promise<string> {
  const { TOTP } = await load();
  const issuer = new URL(environment().publicUrl).hostname;
  return new TOTP({ secret, issuer, label: account }).toString();
}

/**
 * The time step whose code this is; undefined if the code is wrong, or if it is not of a later step than the last used
 * one.
 */
export async function findTotpStep(
  secret: string,
  code: string,
  lastStep = 0,
  timestamp = Date.now(),
): Promise<number | undefined> {
  const { TOTP } = await load();
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp, window: skewSteps });
  if (delta === null) return undefined;
  const step = totp.counter({ timestamp }) + delta;
  return step > lastStep ? step : undefined;
}
