import type { CodePurpose } from '../sms-codes.ts';
import type { SmsSettings } from './settings.ts';

export interface SmsMessage extends CodePurpose {
  /** 6 digits. */
  code: string;
}

/**
 * Why a message was not sent. It holds only the error code and the request ID of the provider's answer: providers
 * quote the request, and so the code, in their messages.
 */
export class SmsError extends Error {
  override readonly name = 'SmsError';
  readonly providerCode: string | undefined;
  /** The provider's support finds the request by this ID. */
  readonly requestId: string | undefined;

  constructor(message: string, providerCode?: string, requestId?: string) {
    const [code, id] = [providerCode, requestId].map(toWord);
    const details = [code, id && `request ${id}`].filter(Boolean).join(', ');
    super(details ? `${message} (${details})` : message);
    this.providerCode = code;
    this.requestId = id;
  }
}

/** Codes and IDs are words; other text could be part of the message. */
const toWord = (value: string | undefined): string | undefined => value?.match(/^[\w.:-]{1,128}$/)?.[0];

/** @throws SmsError if the setting is empty */
export function requireSetting(settings: SmsSettings, key: keyof SmsSettings): string {
  const value = settings[key];
  if (value) return value;
  throw new SmsError(`the setting sms.${key} is not set`);
}
