import { createHash, createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { requireSetting, SmsError, type SmsMessage } from './driver.ts';
import type { SmsSettings } from './settings.ts';

const answer = z.object({ Code: z.string(), RequestId: z.optional(z.string()) });

/** Sends through Alibaba Cloud. A template has one variable, `code`. @throws SmsError, OutboundError */
export async function sendByAliyun(message: SmsMessage, settings: SmsSettings): Promise<void> {
  const { mobile, code, scene } = message;
  const target = new URL('/', settings.endpoint || 'https://dysmsapi.aliyuncs.com');
  const { query, headers } = signAcs3({
    host: target.host,
    action: 'SendSms',
    version: '2017-05-25',
    query: {
      PhoneNumbers: mobile,
      SignName: requireSetting(settings, 'sign_name'),
      TemplateCode: requireSetting(settings, `template_${scene}`),
      TemplateParam: JSON.stringify({ code }),
    },
    accessKey: requireSetting(settings, 'access_key'),
    secretKey: requireSetting(settings, 'secret_key'),
    at: new Date(),
    nonce: randomUUID(),
  });
  const { status, body } = await requestJson({ url: `${target}?${query}`, method: 'POST', headers });
  const { success, data } = answer.safeParse(body);
  if (!success) throw new SmsError(`aliyun answered ${status} with an unexpected body`);
  if (status !== 200 || data.Code !== 'OK') {
    throw new SmsError('aliyun refused the message', data.Code, data.RequestId);
  }
}

/** `host` has the port if it is not the default. */
export type Acs3Request = { query: Record<string, string>; at: Date } & Record<
  'host' | 'action' | 'version' | 'accessKey' | 'secretKey' | 'nonce',
  string
>;

const algorithm = 'ACS3-HMAC-SHA256';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Signs a POST to `/` without a body. Returns the query to send, and the headers except `host`. */
export function signAcs3(request: Acs3Request): { query: string; headers: Record<string, string> } {
  const query = toCanonicalQuery(request.query);
  const emptyBody = sha256('');
  const headers = {
    'x-acs-action': request.action,
    'x-acs-content-sha256': emptyBody,
    'x-acs-date': request.at.toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  };
  // Headers are signed in alphabetical order: host, then the x-acs-* as written above.
  const signed = Object.entries({ host: request.host, ...headers });
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = ['POST', '/', query, lines, names, emptyBody].join('\n');
  const signature = createHmac('sha256', request.secretKey)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest('hex');
  const authorization = `${algorithm} Credential=${request.accessKey},SignedHeaders=${names},Signature=${signature}`;
  return { query, headers: { ...headers, authorization } };
}

/** Sorted by name, encoded as in RFC 3986. */
function toCanonicalQuery(query: Record<string, string>): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString().replaceAll('+', '%20').replaceAll('*', '%2A').replaceAll('%7E', '~');
}
