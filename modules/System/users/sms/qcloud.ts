import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { createDriver } from './create-driver.ts';
import { requireSetting, requireTemplate } from './require-setting.ts';
import { signTc3 } from './sign-tc3.ts';
import type { SmsDriver, SmsMessage, SmsSettings } from './sms-driver.ts';
import { SmsError } from './sms-error.ts';

const defaultEndpoint = 'https://sms.tencentcloudapi.com';
const defaultRegion = 'ap-guangzhou';

/** A refused request has an `Error`, a taken one a status for each number. */
const answer = z.object({
  Response: z.object({
    RequestId: z.optional(z.string()),
    Error: z.optional(z.object({ Code: z.string() })),
    SendStatusSet: z.optional(z.array(z.object({ Code: z.string() }))),
  }),
});

/**
 * Sends through Tencent Cloud's SMS service (`SendSms`, 2021-01-11).
 *
 * @throws AppError `sms.failed` when a setting is missing
 */
export function createQcloudDriver(settings: SmsSettings): SmsDriver {
  const accessKey = requireSetting(settings, 'access_key');
  const secretKey = requireSetting(settings, 'secret_key');
  const signName = requireSetting(settings, 'sign_name');
  const sdkAppId = requireSetting(settings, 'sdk_app_id');

  async function sendSms({ mobile, code, scene }: SmsMessage): Promise<void> {
    const target = new URL('/', settings.endpoint || defaultEndpoint);
    const body = JSON.stringify({
      PhoneNumberSet: [`+86${mobile}`],
      SmsSdkAppId: sdkAppId,
      SignName: signName,
      TemplateId: requireTemplate(settings, scene),
      TemplateParamSet: [code],
    });
    const headers = signTc3({
      host: target.host,
      service: 'sms',
      action: 'SendSms',
      version: '2021-01-11',
      region: settings.region || defaultRegion,
      body,
      secretId: accessKey,
      secretKey,
      at: new Date(),
    });
    const response = await requestJson({ url: target.href, method: 'POST', headers, body });
    const { success, data } = answer.safeParse(response.body);
    if (!success) throw new SmsError(`qcloud answered ${response.status} and nothing to work with`);
    const { Error: refusal, SendStatusSet: statuses = [], RequestId } = data.Response;
    const outcome = refusal?.Code ?? statuses[0]?.Code;
    if (response.status !== 200 || outcome !== 'Ok') {
      throw new SmsError('qcloud refused the message', outcome, RequestId);
    }
  }

  return createDriver(sendSms);
}
