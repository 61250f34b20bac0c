import type { AppError } from '#shared/errors/app-error.ts';
import { unavailable } from '../../failures.ts';
import { TransportError } from './transport.ts';

/** Whether OSS answered an error of this code. */
export function isRefusal(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * The failure to throw for whatever the SDK throws. Its cause is written anew: the SDK's errors carry the
 * request with all of its bytes, and quote answers that may in turn quote signatures.
 */
export function toFailure(error: unknown): AppError {
  if (error instanceof Error && error.name === 'TransportError') {
    return unavailable(new TransportError(error.message));
  }
  const word = (name: string) => (error instanceof Error ? toWord(Reflect.get(error, name)) : '-');
  const details = `status ${word('status')}, EC ${word('ecCode')}, request ${word('requestId')}`;
  return unavailable(new Error(`OSS answered ${word('code')} (${details})`));
}

/** Nothing but a word of an answer comes into the log. */
function toWord(value: unknown): string {
  const text = String(value ?? '');
  return /^[\w.-]{1,64}$/.test(text) ? text : '-';
}
