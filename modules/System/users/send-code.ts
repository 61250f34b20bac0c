import { environment } from '#shared/config/environment.ts';
import { toDay } from '#shared/config/local-time.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { SettingsOf } from '#shared/settings/group.ts';
import systemErrors from '../errors.ts';
import { consumeCaptchaToken } from '../site/captcha.ts';
import { smsConfig } from './sms/config.ts';
import { createSmsDriver } from './sms/create-sms-driver.ts';
import type { sms } from './sms/settings.ts';
import { type CodePurpose, type IssuedCode, issueSmsCode } from './sms-codes.ts';

type SmsSettings = SettingsOf<typeof sms>;

/** A counter outlives its day by as much, whatever the time zone. */
const counterSeconds = 2 * 86_400;

/**
 * Sends a code; nothing in it depends on whether the mobile is somebody's.
 *
 * @param captchaToken used up from the fourth code of a day on
 * @returns seconds the code is good for
 * @throws AppError `auth.captcha_required`, `auth.captcha_invalid`; `sms.failed` when it was not sent, and
 *   then there is no code at all
 */
export async function sendSmsCode(
  request: CodePurpose & { captchaToken?: string },
  settings: SmsSettings,
): Promise<{ expires_in: number }> {
  const { mobile, scene, captchaToken } = request;
  const issued = issueSmsCode({ mobile, scene });
  await store(issued, mobile, captchaToken);
  try {
    const driver = await createSmsDriver({ ...settings, driver: chooseDriver(settings) });
    await driver.send({ mobile, scene, code: issued.code });
  } catch (cause) {
    await issued.revoke();
    throw cause instanceof AppError ? cause : systemErrors.create('sms.failed', { cause });
  }
  return { expires_in: smsConfig.lifetimeSeconds };
}

/** Without a setting codes go to the local file, but nowhere when deployed. */
function chooseDriver({ driver }: SmsSettings): string {
  return driver || (environment().isDeployed ? '' : 'local');
}

async function store({ write }: IssuedCode, mobile: string, captchaToken?: string): Promise<void> {
  try {
    await transact([countSent(mobile, smsConfig.freeCodesPerDay), write]);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    await consumeCaptchaToken(captchaToken);
    await transact([countSent(mobile), write]);
  }
}

/** @param limit codes of the day before which this one has to come; any number without it */
function countSent(mobile: string, limit?: number): Write {
  const ends = Math.floor(Date.now() / 1000) + counterSeconds;
  return {
    Update: {
      Key: { ...keys.smsDay(toDay(), mobile) },
      UpdateExpression: 'ADD #count :one SET #ttl = :ends',
      ExpressionAttributeNames: { '#count': 'count', '#ttl': ttlAttribute },
      ExpressionAttributeValues: { ':one': 1, ':ends': ends, ...(limit && { ':limit': limit }) },
      ...(limit && { ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit' }),
    },
  };
}
