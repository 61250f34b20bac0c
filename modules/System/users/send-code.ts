import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { toDay } from '#shared/config/local-time.ts';
import { holds, singleKey, transact, type Write } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import systemErrors from '../errors.ts';
import { consumeCaptchaToken } from '../site/captcha.ts';
import { captchaToken, mobile } from './schema.ts';
import { SmsError, type SmsMessage } from './sms/driver.ts';
import type { SmsSettings } from './sms/settings.ts';
import { codeLifetimeSeconds, issueSmsCode } from './sms-codes.ts';

/** Codes a day for a mobile without a captcha. */
const freeCodesPerDay = 3;
/** Lifetime of a day's counter: longer than a day in every time zone. */
const counterSeconds = 2 * 86_400;

export const sendCodeBody = z.strictObject({
  mobile,
  scene: z.enum(['login', 'register', 'bind_mobile']),
  captcha_token: captchaToken,
});

/**
 * Sends a code. Answer and time do not depend on whether the mobile has a user.
 *
 * @throws AppError `auth.captcha_required` and `auth.captcha_invalid` from the fourth code of a day on; `sms.failed`
 *   if it was not sent, and then the mobile has no valid code
 */
export async function sendSmsCode(
  { mobile, scene, captcha_token }: z.output<typeof sendCodeBody>,
  settings: SmsSettings,
): Promise<{ expires_in: number }> {
  const issued = issueSmsCode({ mobile, scene });
  await store(issued.write, mobile, captcha_token);
  try {
    // Without a setting, codes go to a local file; a deployed service sends none.
    const driver = settings.driver || (environment().isDeployed ? '' : 'local');
    await sendSms({ mobile, scene, code: issued.code }, { ...settings, driver });
  } catch (error) {
    await issued.revoke();
    throw error;
  }
  return { expires_in: codeLifetimeSeconds };
}

/** Counts and stores a code in one transaction. */
async function store(write: Write, mobile: string, captchaToken?: string): Promise<void> {
  if (await holds(transact([countSent(mobile, freeCodesPerDay), write]))) return;
  await consumeCaptchaToken(captchaToken);
  await transact([countSent(mobile), write]);
}

/** @param limit the condition fails if that many codes were counted before */
const countSent = (mobile: string, limit?: number): Write =>
  changeItem(singleKey(`SMS_DAY#${toDay()}#${mobile}`), {
    add: { count: 1 },
    set: { [ttlAttribute]: Math.floor(Date.now() / 1000) + counterSeconds },
    ...(limit && { atMost: { count: limit - 1 } }),
  });

/** Returns when the provider has accepted the message, not when it has arrived. @throws AppError `sms.failed` */
export async function sendSms(message: SmsMessage, settings: SmsSettings): Promise<void> {
  try {
    const send = await loadDriver(settings.driver);
    await send(message, settings);
  } catch (cause) {
    throw systemErrors.create('sms.failed', { cause });
  }
}

async function loadDriver(driver: SmsSettings['driver']) {
  switch (driver) {
    case 'local':
      return appendToFile;
    case 'aliyun':
      return (await import('./sms/aliyun.ts')).sendByAliyun;
    case 'qcloud':
      return (await import('./sms/qcloud.ts')).sendByQcloud;
    default:
      throw new SmsError('the setting sms.driver names no driver');
  }
}

/** The local driver, for development: appends a line to `{DATA_DIR}/sms.jsonl`, which only its owner may read. */
async function appendToFile({ mobile, scene, code }: SmsMessage): Promise<void> {
  const { dataDir, isDeployed } = environment();
  if (isDeployed) throw new SmsError('the local driver sends nothing, and is refused when deployed');
  if (!dataDir) throw new SmsError('DATA_DIR is not set');
  await mkdir(dataDir, { recursive: true });
  const line = JSON.stringify({ mobile, scene, code, at: new Date().toISOString() });
  await appendFile(join(dataDir, 'sms.jsonl'), `${line}\n`, { mode: 0o600 });
}

export const writtenKeys: ListWrittenKeys = () => ['SMS_DAY#*'];
