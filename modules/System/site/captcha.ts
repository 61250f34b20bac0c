import { randomUUID } from 'node:crypto';
import type { Challenge, Payload } from 'altcha-lib';
import * as z from 'zod/mini';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import { deriveKeys } from '#shared/crypto/keys.ts';
import { redeemTokens } from '#shared/db/single-use.ts';
import { titled } from '#shared/schema/titled.ts';
import systemErrors from '../errors.ts';

/** Lifetime of a challenge, and of the token for its solution. */
const lifetimeSeconds = 300;
const algorithm = 'PBKDF2/SHA-256';
/** Iterations of one try. A client needs about 256 tries; the check is one. */
const cost = 5_000;
const tokenPurpose = 'captcha_token';
const tokenContext = 'captcha-token';

/** A challenge for the ALTCHA widget. */
export const captchaChallenge = z.looseObject({
  signature: titled({ zh_CN: '签名', en: 'Signature' }, z.optional(z.string())),
});

/** `data` of the error `auth.captcha_required`. */
export const captchaRequired = z.strictObject({ driver: z.literal('altcha'), challenge: captchaChallenge });

const nowSeconds = () => Math.floor(Date.now() / 1000);
const load = async () => ({
  ...(await import('altcha-lib')),
  ...(await import('altcha-lib/algorithms/pbkdf2')),
});

/** Creates a proof-of-work challenge. It is signed, so nothing is stored. */
export async function createCaptchaChallenge(): Promise<Challenge> {
  const { createChallenge, deriveKey } = await load();
  const [key] = deriveKeys('captcha');
  return createChallenge({
    algorithm,
    cost,
    deriveKey,
    expiresAt: nowSeconds() + lifetimeSeconds,
    hmacSignatureSecret: key.secret.export().toString('base64url'),
  });
}

/**
 * Exchanges a solved challenge for a single-use token.
 * @throws AppError `auth.captcha_invalid` if the solution is wrong, late or was used before
 */
export async function checkCaptcha(payload: string): Promise<{ captcha_token: string; expires_at: string }> {
  const solved = readPayload(payload);
  if (!solved || !(await isSolved(solved))) throw systemErrors.create('auth.captcha_invalid');
  const { signature = '', parameters } = solved.challenge;
  const isFirst = await redeemTokens('captcha_challenge', [
    { id: signature, expiresAt: parameters.expiresAt ?? 0 },
  ]);
  if (!isFirst) throw systemErrors.create('auth.captcha_invalid');
  const expiresAt = nowSeconds() + lifetimeSeconds;
  return {
    captcha_token: encrypt(JSON.stringify([randomUUID(), expiresAt]), tokenPurpose, tokenContext),
    expires_at: new Date(expiresAt * 1000).toISOString(),
  };
}

/** @throws AppError `auth.captcha_required` with a new challenge if there is no token; `auth.captcha_invalid` */
export async function consumeCaptchaToken(token: string | undefined): Promise<void> {
  if (!token) {
    const data = { driver: 'altcha', challenge: await createCaptchaChallenge() };
    throw systemErrors.create('auth.captcha_required', { data });
  }
  const text = decrypt(token, tokenPurpose, tokenContext);
  const [id, expiresAt]: [string, number] = text === undefined ? ['', 0] : JSON.parse(text);
  const isGood = expiresAt > nowSeconds() && (await redeemTokens('captcha_token', [{ id, expiresAt }]));
  if (!isGood) throw systemErrors.create('auth.captcha_invalid');
}

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(algorithm),
      nonce: z.string(),
      salt: z.string(),
      cost: z.literal(cost),
      keyLength: z.number(),
      keyPrefix: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string().check(z.minLength(1)),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

function readPayload(payload: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64').toString());
    return z.safeParse(payloadSchema, value).data;
  } catch {
    return undefined; // Not JSON.
  }
}

async function isSolved({ challenge, solution }: Payload): Promise<boolean> {
  const { verifySolution, deriveKey } = await load();
  for (const { secret } of deriveKeys('captcha')) {
    const hmacSignatureSecret = secret.export().toString('base64url');
    const result = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret });
    if (result.verified) return true;
  }
  return false;
}
