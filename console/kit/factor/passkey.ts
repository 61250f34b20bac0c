import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { localise } from '../../base/locale.ts';
import { texts } from './texts.ts';

/** The browser has made no passkey or signature. Its message is for the operator. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

// Loaded on first use: most operators have no passkey.
const load = () => import('@simplewebauthn/browser');

/** Lets a passkey sign a challenge. @throws PasskeyError */
export const signWithPasskey = (optionsJSON: PublicKeyCredentialRequestOptionsJSON) =>
  explain(async () => (await load()).startAuthentication({ optionsJSON }));

/** Makes a passkey. @throws PasskeyError */
export const createPasskey = (optionsJSON: PublicKeyCredentialCreationOptionsJSON) =>
  explain(async () => (await load()).startRegistration({ optionsJSON }));

const reasons: Record<string, keyof typeof texts> = {
  NotAllowedError: 'passkey_cancelled',
  AbortError: 'passkey_cancelled',
  InvalidStateError: 'passkey_known',
  SecurityError: 'passkey_address',
};

async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = reasons[cause instanceof Error ? cause.name : ''] ?? 'passkey_failed';
    throw new PasskeyError(localise(texts[reason]), { cause });
  }
}
