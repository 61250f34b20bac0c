import type { SmsSettings } from './settings.ts';

/** Purpose of a code; each scene has its own template. */
export type SmsScene = 'login' | 'register' | 'bind_mobile';

export interface SmsMessage {
  /** A mobile of mainland China without country code, `^1[3-9]\d{9}$`. */
  mobile: string;
  /** 6 digits. */
  code: string;
  scene: SmsScene;
}

/**
 * Why a message was not sent; the cause of `AppError('sms.failed')`. It holds only the error code and the request ID
 * of the provider's answer: providers quote the request, and so the code, in their messages.
 */
export class SmsError extends Error {
  override readonly name = 'SmsError';
  readonly providerCode: string | undefined;
  /** The provider's support finds the request by this ID. */
  readonly requestId: string | undefined;

  constructor(message: string, providerCode?: unknown, requestId?: unknown) {
    const [code, id] = [toWord(providerCode), toWord(requestId)];
    const details = [code, id && `request ${id}`].filter(Boolean).join(', ');
    super(details ? `${message} (${details})` : message);
    this.providerCode = code;
    this.requestId = id;
  }
}

/** Codes and IDs are words; other text could be part of the message. */
function toWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value) ? value : undefined;
}

/** @throws SmsError if the setting is empty */
export function requireSetting(settings: SmsSettings, key: keyof SmsSettings): string {
  const value = settings[key];
  if (value) return value;
  throw new SmsError(`the setting sms.${key} is not set`);
}
