import { randomInt, randomUUID } from 'node:crypto';
import { createSendLimits, type SendLimit } from './send-limits.ts';
import { type DoubleAnswer, type DoubleRequest, type RunningDouble, serve } from './serve.ts';
import { verifyAcs3 } from './verify-acs3.ts';

export interface AliyunSmsRules {
  /** Secrets by AccessKey ID. */
  keys: Record<string, string>;
  signNames: string[];
  /** Names of the variables by template code. */
  templates: Record<string, string[]>;
  /** @default one a minute, five an hour, ten a day for a mobile, as there */
  limits?: SendLimit[];
  /** The time in milliseconds. @default Date.now */
  now?(): number;
}

export interface AliyunMessage {
  mobile: string;
  signName: string;
  template: string;
  params: Record<string, string>;
}

export interface AliyunSmsDouble extends RunningDouble {
  /** Sent messages, in order. */
  sent: AliyunMessage[];
  /** Number of requests, including refused ones. */
  requests: number;
}

const defaultLimits = [
  { seconds: 60, count: 1 },
  { seconds: 3600, count: 5 },
  { seconds: 86_400, count: 10 },
];
const maxNumbers = 1000;

/**
 * Alibaba Cloud's SMS API (Dysmsapi 2017-05-25, `SendSms`), by its public documentation: the gateway's checks
 * answer 4xx, the service's own answer 200, both with a `Code`.
 */
export async function startAliyunSms(rules: AliyunSmsRules): Promise<AliyunSmsDouble> {
  const { now = Date.now } = rules;
  const gateway = { keys: rules.keys, now, nonces: new Set<string>() };
  const limits = createSendLimits(rules.limits ?? defaultLimits, now);
  const sent: AliyunMessage[] = [];

  function send(given: URLSearchParams): string {
    const [numbers, signName, template] = ['PhoneNumbers', 'SignName', 'TemplateCode'].map(
      (name) => given.get(name) ?? '',
    );
    const mobiles = (numbers ?? '').split(',');
    const variables = rules.templates[template ?? ''];
    if (!signName || !rules.signNames.includes(signName)) return 'isv.SMS_SIGNATURE_ILLEGAL';
    if (!template || !variables) return 'isv.SMS_TEMPLATE_ILLEGAL';
    if (mobiles.length > maxNumbers) return 'isv.MOBILE_COUNT_OVER_LIMIT';
    if (mobiles.some((mobile) => !/^(?:\+?86)?1[3-9]\d{9}$/.test(mobile))) return 'isv.MOBILE_NUMBER_ILLEGAL';
    const params = readParams(given.get('TemplateParam') ?? '{}');
    if (!params) return 'isv.INVALID_JSON_PARAM';
    if (variables.some((name) => !params[name])) return 'isv.TEMPLATE_MISSING_PARAMETERS';
    for (const mobile of mobiles) {
      if (limits.take(mobile)) return 'isv.BUSINESS_LIMIT_CONTROL';
      sent.push({ mobile, signName, template, params });
    }
    return 'OK';
  }

  function answer(request: DoubleRequest): DoubleAnswer {
    double.requests += 1;
    const RequestId = randomUUID().toUpperCase();
    const refuse = (status: number, Code: string, Message: string) => ({
      status,
      body: { RequestId, HostId: request.headers.host, Code, Message },
    });
    const refusal = verifyAcs3(request, gateway);
    if (refusal) return refuse(refusal.status, refusal.code, `refused, server saw: ${refusal.detail}`);
    const { 'x-acs-action': action, 'x-acs-version': version } = request.headers;
    if (version !== '2017-05-25') return refuse(400, 'InvalidVersion', 'no such version');
    if (action !== 'SendSms') return refuse(404, 'InvalidAction.NotFound', 'no such action');
    const given = new URLSearchParams(request.query);
    const missing = ['PhoneNumbers', 'SignName', 'TemplateCode'].find((name) => !given.get(name));
    if (missing) return refuse(400, `Missing${missing}`, `${missing} is mandatory for this action`);
    const Code = send(given);
    if (Code !== 'OK') return { body: { RequestId, Code, Message: `refused: ${request.query}` } };
    return { body: { RequestId, Code, Message: 'OK', BizId: `${randomInt(1e9)}^0` } };
  }

  const running = await serve(answer);
  const double: AliyunSmsDouble = { ...running, sent, requests: 0 };
  return double;
}

/** A flat object of text, as templates take it. */
function readParams(text: string): Record<string, string> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const entries = Object.entries(parsed);
    return entries.every(([, value]) => typeof value === 'string') ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined;
  }
}
