import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../../errors.ts';
import type { SmsDriver, SmsMessage } from './sms-driver.ts';

/** A driver whose every failure is `AppError('sms.failed')` with the cause. */
export function createDriver(send: (message: SmsMessage) => Promise<void>): SmsDriver {
  return {
    async send(message) {
      try {
        await send(message);
      } catch (cause) {
        throw cause instanceof AppError ? cause : systemErrors.create('sms.failed', { cause });
      }
    },
  };
}
