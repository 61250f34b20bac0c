import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { requireSetting, SmsError, type SmsMessage } from './driver.ts';
import type { SmsSettings } from './settings.ts';

/** A refused request has `Error`; an accepted one has a status for each number. */
const answer = z.object({
  Response: z.object({
    RequestId: z.optional(z.string()),
    Error: z.optional(z.object({ Code: z.string() })),
    SendStatusSet: z.optional(z.array(z.object({ Code: z.string() }))),
  }),
});

/** Sends through Tencent Cloud. A template has one variable, `{1}`. @throws SmsError, OutboundError */
export async function sendByQcloud(message: SmsMessage, settings: SmsSettings): Promise<void> {
  const { mobile, code, scene } = message;
  const target = new URL('/', settings.endpoint || 'https://sms.tencentcloudapi.com');
  const body = JSON.stringify({
    PhoneNumberSet: [`+86${mobile}`],
    SmsSdkAppId: requireSetting(settings, 'sdk_app_id'),
    SignName: requireSetting(settings, 'sign_name'),
    TemplateId: requireSetting(settings, `template_${scene}`),
    TemplateParamSet: [code],
  });
  const headers = signTc3({
    host: target.host,
    service: 'sms',
    action: 'SendSms',
    version: '2021-01-11',
    region: settings.region || 'ap-guangzhou',
    body,
    secretId: requireSetting(settings, 'access_key'),
    secretKey: requireSetting(settings, 'secret_key'),
    at: new Date(),
  });
  const response = await requestJson({ url: target.href, method: 'POST', headers, body });
  const { success, data } = answer.safeParse(response.body);
  if (!success) throw new SmsError(`qcloud answered ${response.status} with an unexpected body`);
  const { Error: refusal, SendStatusSet: statuses = [], RequestId } = data.Response;
  const outcome = refusal?.Code ?? statuses[0]?.Code;
  if (response.status !== 200 || outcome !== 'Ok') {
    throw new SmsError('qcloud refused the message', outcome, RequestId);
  }
}

/** `host` has the port if it is not the default; `service` is the product's name in its domain. */
export type Tc3Request = { at: Date } & Record<
  'host' | 'service' | 'action' | 'version' | 'region' | 'body' | 'secretId' | 'secretKey',
  string
>;

const algorithm = 'TC3-HMAC-SHA256';
const contentType = 'application/json; charset=utf-8';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Signs content type, host and body of a POST to `/` with signature version 3. Returns all other headers. */
export function signTc3(request: Tc3Request): Record<string, string> {
  const { host, service, action, version, region, body, secretId, secretKey, at } = request;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const day = at.toISOString().slice(0, 10);
  const scope = `${day}/${service}/tc3_request`;
  const names = 'content-type;host';
  const lines = `content-type:${contentType}\nhost:${host}\n`;
  const canonical = ['POST', '/', '', lines, names, sha256(body)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), service), 'tc3_request');
  const signature = hmac(key, [algorithm, timestamp, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    'content-type': contentType,
    'x-tc-action': action,
    'x-tc-timestamp': timestamp,
    'x-tc-version': version,
    'x-tc-region': region,
    authorization: `${algorithm} Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
