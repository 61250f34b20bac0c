import { randomBytes } from 'node:crypto';
import { nowSeconds } from '#shared/auth/session.ts';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import { redeemTokens } from '#shared/db/single-use.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { beginAtProvider, finishAtProvider, readProviderSettings, type SsoIdentity } from './provider.ts';

/** What the login at the provider is for. */
export type SsoPurpose = 'login' | 'invitation' | 'bind';

const purposeOfKey = 'sso_flow';
const lifetimeSeconds = 600;

/** What the console brings back from the provider. */
export interface SsoAnswer {
  flow: string;
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/**
 * Begins a login at the provider. Nothing is stored: `flow` holds state, nonce and verifier, encrypted. The tab that
 * has asked keeps it, so another browser cannot end this login.
 *
 * @param adminId of whom the account is to be bound to
 * @throws AppError `sso.off`, `sso.provider_failed`
 */
export async function beginFlow(purpose: SsoPurpose, adminId = ''): Promise<{ url: string; flow: string }> {
  const { url, issuer, state, nonce, verifier } = await beginAtProvider();
  const id = randomBytes(18).toString('base64url');
  const expiresAt = nowSeconds() + lifetimeSeconds;
  const text = JSON.stringify([id, purpose, adminId, issuer, state, nonce, verifier, expiresAt]);
  return { url, flow: encrypt(text, purposeOfKey, purpose) };
}

/**
 * Ends a login at the provider. A flow counts once, also if it fails.
 *
 * @param adminId as in {@link beginFlow}
 * @throws AppError `auth.sso_invalid`, `sso.off`, `sso.provider_failed`
 */
export async function finishFlow(
  purpose: SsoPurpose,
  { flow, state: sent, ...sentParameters }: SsoAnswer,
  adminId = '',
): Promise<SsoIdentity & { create: string }> {
  const text = decrypt(flow, purposeOfKey, purpose);
  if (text === undefined) throw ssoInvalid();
  const [id, , begunBy, issuer, state, nonce, verifier, expiresAt] = JSON.parse(text);
  if (expiresAt <= nowSeconds() || begunBy !== adminId || !isEqual(sent, state)) throw ssoInvalid();
  const settings = await readProviderSettings();
  // The settings have changed meanwhile.
  if (settings.issuer !== issuer) throw ssoInvalid();
  if (!(await redeemTokens('sso', [{ id, expiresAt }]))) throw ssoInvalid();
  const parameters = new URLSearchParams({ state });
  for (const [name, value] of Object.entries(sentParameters)) if (value) parameters.set(name, value);
  const identity = await finishAtProvider(settings, { parameters, state, nonce, verifier });
  return { ...identity, create: settings.create };
}

export const ssoInvalid = (): AppError => systemErrors.create('auth.sso_invalid');
