import systemErrors from '../../errors.ts';
import type { SmsDriver, SmsSettings } from './sms-driver.ts';
import { SmsError } from './sms-error.ts';

/**
 * The driver that the settings name; each is loaded when it is asked for.
 *
 * @throws AppError `sms.failed` when they name none, or lack what the driver needs
 */
export async function createSmsDriver(settings: SmsSettings): Promise<SmsDriver> {
  switch (settings.driver) {
    case 'local':
      return (await import('./local.ts')).createLocalDriver();
    case 'aliyun':
      return (await import('./aliyun.ts')).createAliyunDriver(settings);
    case 'qcloud':
      return (await import('./qcloud.ts')).createQcloudDriver(settings);
    default:
      throw systemErrors.create('sms.failed', {
        cause: new SmsError('the setting sms.driver names no driver'),
      });
  }
}
