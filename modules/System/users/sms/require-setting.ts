import systemErrors from '../../errors.ts';
import type { SmsScene, SmsSettings } from './sms-driver.ts';
import { SmsError } from './sms-error.ts';

/**
 * A setting that a driver cannot do without.
 *
 * @throws AppError `sms.failed` whose cause names it, when it is not set
 */
export function requireSetting(settings: SmsSettings, key: keyof SmsSettings): string {
  const value = settings[key];
  if (value) return value;
  throw systemErrors.create('sms.failed', { cause: new SmsError(`the setting sms.${key} is not set`) });
}

/**
 * The template of a scene.
 *
 * @throws AppError `sms.failed` when it is not set
 */
export function requireTemplate(settings: SmsSettings, scene: SmsScene): string {
  return requireSetting(settings, `template_${scene}`);
}
