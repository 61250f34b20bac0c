import { randomUUID } from 'node:crypto';
import type { Challenge, Payload } from 'altcha-lib';
import * as z from 'zod/mini';
import { deriveKeys } from '#shared/crypto/keys.ts';
import { seal, unseal } from '#shared/crypto/seal.ts';
import { useOnce } from '#shared/db/once.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** Seconds a client has to solve a challenge, and then to use what it got for it. */
const lifetimeSeconds = 300;
const algorithm = 'PBKDF2/SHA-256';
/** Iterations of one try; a client needs about 256 tries, the check is one. */
const cost = 5_000;
const tokenContext = 'captcha-token';

/** A proof-of-work challenge as the ALTCHA widget takes it. */
export type CaptchaChallenge = Challenge;

/** What a solved challenge is exchanged for. */
export interface CaptchaToken {
  captcha_token: string;
  /** ISO 8601. */
  expires_at: string;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const load = async () => ({
  ...(await import('altcha-lib')),
  ...(await import('altcha-lib/algorithms/pbkdf2')),
});

/** Makes a challenge; signed, so nothing of it is stored. */
export async function createCaptchaChallenge(): Promise<CaptchaChallenge> {
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
 * Exchanges a solved challenge for a token of one use, good for 5 minutes.
 *
 * @param payload what the widget made: base64 of challenge and solution as JSON
 * @throws AppError `auth.captcha_invalid` for a solution that is wrong, late, or was handed in before
 */
export async function checkCaptcha(payload: string): Promise<CaptchaToken> {
  const solved = readPayload(payload);
  if (!solved || !(await isSolved(solved))) throw new AppError('auth.captcha_invalid');
  const { signature = '', parameters } = solved.challenge;
  const isFirst = await useOnce('captcha_challenge', signature, parameters.expiresAt ?? 0);
  if (!isFirst) throw new AppError('auth.captcha_invalid');
  const expiresAt = nowSeconds() + lifetimeSeconds;
  return {
    captcha_token: seal(JSON.stringify([randomUUID(), expiresAt]), 'captcha', tokenContext),
    expires_at: new Date(expiresAt * 1000).toISOString(),
  };
}

/**
 * Uses a captcha token up.
 *
 * @throws AppError `auth.captcha_required` without one, with a challenge to solve under `data`;
 *   `auth.captcha_invalid` for one that is not ours, too old, or used before
 */
export async function consumeCaptchaToken(token: string | undefined): Promise<void> {
  if (!token) {
    const data = { driver: 'altcha', challenge: await createCaptchaChallenge() };
    throw new AppError('auth.captcha_required', { data });
  }
  const text = unseal(token, 'captcha', tokenContext);
  const [id, expiresAt]: [string, number] = text === undefined ? ['', 0] : JSON.parse(text);
  const isGood = expiresAt > nowSeconds() && (await useOnce('captcha_token', id, expiresAt));
  if (!isGood) throw new AppError('auth.captcha_invalid');
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
    return undefined; // Not JSON: no solution.
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
