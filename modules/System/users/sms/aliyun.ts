import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { createDriver } from './create-driver.ts';
import { requireSetting, requireTemplate } from './require-setting.ts';
import { signAcs3 } from './sign-acs3.ts';
import type { SmsDriver, SmsMessage, SmsSettings } from './sms-driver.ts';
import { SmsError } from './sms-error.ts';

const defaultEndpoint = 'https://dysmsapi.aliyuncs.com';

/** Refusals of the gateway and of the service look alike. */
const answer = z.object({ Code: z.string(), RequestId: z.optional(z.string()) });

/**
 * Sends through Alibaba Cloud's SMS service (Dysmsapi `SendSms`, 2017-05-25). Its parameters travel in the
 * query, where the API declares them.
 *
 * @throws AppError `sms.failed` when a setting is missing
 */
export function createAliyunDriver(settings: SmsSettings): SmsDriver {
  const accessKey = requireSetting(settings, 'access_key');
  const secretKey = requireSetting(settings, 'secret_key');
  const signName = requireSetting(settings, 'sign_name');

  async function sendSms({ mobile, code, scene }: SmsMessage): Promise<void> {
    const target = new URL('/', settings.endpoint || defaultEndpoint);
    const { query, headers } = signAcs3({
      host: target.host,
      action: 'SendSms',
      version: '2017-05-25',
      query: {
        PhoneNumbers: mobile,
        SignName: signName,
        TemplateCode: requireTemplate(settings, scene),
        TemplateParam: JSON.stringify({ code }),
      },
      accessKey,
      secretKey,
      at: new Date(),
      nonce: randomUUID(),
    });
    const { status, body } = await requestJson({ url: `${target}?${query}`, method: 'POST', headers });
    const { success, data } = answer.safeParse(body);
    if (!success) throw new SmsError(`aliyun answered ${status} and nothing to work with`);
    if (status !== 200 || data.Code !== 'OK') {
      throw new SmsError('aliyun refused the message', data.Code, data.RequestId);
    }
  }

  return createDriver(sendSms);
}
