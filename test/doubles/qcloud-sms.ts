import { randomUUID } from 'node:crypto';
import { createSendLimits, type SendLimit } from './send-limits.ts';
import { type DoubleAnswer, type DoubleRequest, type RunningDouble, serve } from './serve.ts';
import { verifyTc3 } from './verify-tc3.ts';

export interface QcloudSmsRules {
  /** Secrets by SecretId. */
  keys: Record<string, string>;
  sdkAppIds: string[];
  signNames: string[];
  /** How many variables a template has, by its ID. */
  templates: Record<string, number>;
  /** @default one in 30 s, five an hour, ten a day for a mobile */
  limits?: SendLimit[];
  /** The time in milliseconds. @default Date.now */
  now?(): number;
}

export interface QcloudMessage {
  mobile: string;
  signName: string;
  template: string;
  params: string[];
}

export interface QcloudSmsDouble extends RunningDouble {
  /** Sent messages, in order. */
  sent: QcloudMessage[];
  /** Number of requests, including refused ones. */
  requests: number;
}

interface SendSms {
  PhoneNumberSet?: string[];
  SmsSdkAppId?: string;
  SignName?: string;
  TemplateId?: string;
  TemplateParamSet?: string[];
}

const limitNames: Record<number, string> = { 30: 'ThirtySecond', 3600: 'OneHour', 86400: 'Daily' };
const defaultLimits = [
  { seconds: 30, count: 1 },
  { seconds: 3600, count: 5 },
  { seconds: 86_400, count: 10 },
];
const regions = ['ap-beijing', 'ap-guangzhou', 'ap-nanjing'];

/**
 * Tencent Cloud's SMS API (`SendSms`, 2021-01-11), by its public documentation: every answer has status 200;
 * what is wrong with a request is an `Error`, what is wrong with a number is the `Code` of its status.
 */
export async function startQcloudSms(rules: QcloudSmsRules): Promise<QcloudSmsDouble> {
  const { now = Date.now } = rules;
  const limits = createSendLimits(rules.limits ?? defaultLimits, now);
  const sent: QcloudMessage[] = [];

  /** The code of a number's status. */
  function send(number: string, given: SendSms): string {
    const { SignName: signName = '', TemplateId: template = '', TemplateParamSet: params = [] } = given;
    const [, mobile] = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/.exec(number) ?? [];
    if (!mobile) return 'InvalidParameterValue.IncorrectPhoneNumber';
    if (!rules.sdkAppIds.includes(given.SmsSdkAppId ?? ''))
      return 'UnauthorizedOperation.SmsSdkAppIdVerifyFail';
    if (!rules.signNames.includes(signName)) return 'FailedOperation.SignatureIncorrectOrUnapproved';
    const variables = rules.templates[template];
    if (variables === undefined) return 'FailedOperation.TemplateIncorrectOrUnapproved';
    if (params.length !== variables) return 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate';
    if (params.some((param) => !/^\d{0,6}$/.test(param))) {
      return 'InvalidParameterValue.TemplateParameterFormatError';
    }
    const reached = limits.take(mobile);
    if (reached) return `LimitExceeded.PhoneNumber${limitNames[reached.seconds] ?? ''}Limit`;
    sent.push({ mobile, signName, template, params });
    return 'Ok';
  }

  function answer(request: DoubleRequest): DoubleAnswer {
    double.requests += 1;
    const RequestId = randomUUID();
    const refuse = (Code: string, Message: string) => ({
      body: { Response: { Error: { Code, Message }, RequestId } },
    });
    const refusal = verifyTc3(request, { keys: rules.keys, service: 'sms', now });
    if (refusal) return refuse(refusal.code, `refused, server saw: ${refusal.detail}`);
    const { 'x-tc-action': action, 'x-tc-version': version, 'x-tc-region': region } = request.headers;
    if (action !== 'SendSms') return refuse('InvalidAction', 'no such action');
    if (version !== '2021-01-11') return refuse('NoSuchVersion', 'no such version');
    if (!region) return refuse('MissingParameter', 'Region');
    if (!regions.includes(String(region))) return refuse('UnsupportedRegion', String(region));
    const given: SendSms = JSON.parse(request.body);
    const missing = (['PhoneNumberSet', 'SmsSdkAppId', 'TemplateId'] as const).find((name) => !given[name]);
    if (missing) return refuse('MissingParameter', missing);
    const numbers = given.PhoneNumberSet ?? [];
    if (numbers.length === 0) return refuse('MissingParameter.EmptyPhoneNumberSet', '');
    if (numbers.length > 200) return refuse('LimitExceeded.PhoneNumberCountLimit', '');
    const SendStatusSet = numbers.map((PhoneNumber) => {
      const Code = send(PhoneNumber, given);
      const isSent = Code === 'Ok';
      const Message = isSent ? 'send success' : `refused: ${request.body}`;
      return { SerialNo: isSent ? randomUUID() : '', PhoneNumber, Fee: Number(isSent), Code, Message };
    });
    return { body: { Response: { SendStatusSet, RequestId } } };
  }

  const running = await serve(answer);
  const double: QcloudSmsDouble = { ...running, sent, requests: 0 };
  return double;
}
