import '../../../../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';
import { sendSms } from '#modules/System/users/send-code.ts';
import { SmsError, type SmsMessage } from '#modules/System/users/sms/driver.ts';
import type { SmsSettings } from '#modules/System/users/sms/settings.ts';
import { type Misbehaviour, misbehaviours, startMisbehaving } from '../../../../../doubles/misbehaving.ts';
import { stopTime } from '../../../../../support/fake-time.ts';
import { describeError, failureOf } from '../wechat/wechat-fixture.ts';
import { smsSettings, startAliyun, startQcloud } from './sms-fixture.ts';

const message: SmsMessage = { mobile: '13800138000', code: '482913', scene: 'login' };
const send = (settings: SmsSettings, changes: Partial<SmsMessage> = {}) =>
  sendSms({ ...message, ...changes }, settings);
const skewed = (minutes: number) => ({ now: () => Date.now() + minutes * 60_000 });
const isHanging = (misbehaviour: Misbehaviour) =>
  misbehaviour.startsWith('hangs') && misbehaviour !== 'hangs up';

interface Cloud {
  start(rules?: { now?(): number; limits?: [] }): Promise<{
    settings: SmsSettings;
    double: {
      sent: { mobile: string; signName: string; template: string; params: unknown }[];
      requests: number;
      stop(): Promise<void>;
    };
  }>;
  params: unknown;
  templates: string[];
  /** A template with an additional variable. */
  otherTemplate: string;
  codes: Record<
    'wrongSecret' | 'unknownKey' | 'skewed' | 'limit' | 'signName' | 'template' | 'params' | 'mobile',
    string
  >;
  /** Accepted clock difference, in minutes. */
  windowMinutes: number;
  required: (keyof SmsSettings)[];
}

const clouds: Record<'aliyun' | 'qcloud', Cloud> = {
  aliyun: {
    start: startAliyun,
    params: { code: '482913' },
    templates: ['SMS_1001', 'SMS_1002', 'SMS_1003'],
    otherTemplate: 'SMS_2',
    codes: {
      wrongSecret: 'SignatureDoesNotMatch',
      unknownKey: 'InvalidAccessKeyId.NotFound',
      skewed: 'InvalidTimeStamp.Expired',
      limit: 'isv.BUSINESS_LIMIT_CONTROL',
      signName: 'isv.SMS_SIGNATURE_ILLEGAL',
      template: 'isv.SMS_TEMPLATE_ILLEGAL',
      params: 'isv.TEMPLATE_MISSING_PARAMETERS',
      mobile: 'isv.MOBILE_NUMBER_ILLEGAL',
    },
    windowMinutes: 15,
    required: ['access_key', 'secret_key', 'sign_name', 'template_login'],
  },
  qcloud: {
    start: startQcloud,
    params: ['482913'],
    templates: ['1001', '1002', '1003'],
    otherTemplate: '2',
    codes: {
      wrongSecret: 'AuthFailure.SignatureFailure',
      unknownKey: 'AuthFailure.SecretIdNotFound',
      skewed: 'AuthFailure.SignatureExpire',
      limit: 'LimitExceeded.PhoneNumberThirtySecondLimit',
      signName: 'FailedOperation.SignatureIncorrectOrUnapproved',
      template: 'FailedOperation.TemplateIncorrectOrUnapproved',
      params: 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate',
      mobile: 'InvalidParameterValue.IncorrectPhoneNumber',
    },
    windowMinutes: 5,
    required: ['access_key', 'secret_key', 'sign_name', 'sdk_app_id', 'template_login'],
  },
};

describe.each(['aliyun', 'qcloud'] as const)('%s', (name) => {
  const cloud = clouds[name];

  /** The error of a message with other settings, or of another message. */
  async function refusalOf(changes: Partial<SmsSettings>, other: Partial<SmsMessage> = {}, rules = {}) {
    const { double, settings } = await cloud.start(rules);
    const error = await failureOf(send({ ...settings, ...changes }, other));
    await double.stop();
    expect(double.sent).toEqual([]);
    expect(error).toMatchObject({ name: 'AppError', code: 'sms.failed', status: 502 });
    return { error, cause: error.cause as SmsError };
  }

  test('accepts a message', async () => {
    const { double, settings } = await cloud.start();

    await send(settings);
    await double.stop();

    const [template] = cloud.templates;
    expect(double.sent).toEqual([
      { mobile: '13800138000', signName: settings.sign_name, template, params: cloud.params },
    ]);
  });

  test('gets the template of the scene', async () => {
    const { double, settings } = await cloud.start({ limits: [] });

    for (const scene of ['login', 'register', 'bind_mobile'] as const) await send(settings, { scene });
    await double.stop();

    expect(double.sent.map(({ template }) => template)).toEqual(cloud.templates);
  });

  test('accepts many messages at once', async () => {
    const { double, settings } = await cloud.start();
    const mobiles = Array.from({ length: 50 }, (_, index) => `138${String(index).padStart(8, '0')}`);

    await Promise.all(mobiles.map((mobile) => send(settings, { mobile })));
    await double.stop();

    expect(double.sent.map(({ mobile }) => mobile).sort()).toEqual(mobiles);
  });

  test('may have an endpoint that ends with a slash', async () => {
    const { double, settings } = await cloud.start();

    await send({ ...settings, endpoint: `${settings.endpoint}/` });
    await double.stop();

    expect(double.sent).toHaveLength(1);
  });

  test.each([
    ['a wrong secret', { secret_key: 'wrong' }, {}, cloud.codes.wrongSecret],
    ['an unknown key', { access_key: 'unknown' }, {}, cloud.codes.unknownKey],
    ['an unknown signature', { sign_name: '别的' }, {}, cloud.codes.signName],
    ['an unknown template', { template_login: '404' }, {}, cloud.codes.template],
    ['a template of other variables', { template_login: cloud.otherTemplate }, {}, cloud.codes.params],
    ['an invalid number', {}, { mobile: '12345' }, cloud.codes.mobile],
  ])('refuses %s', async (_what, settings, other, code) => {
    const { cause } = await refusalOf(settings, other);

    expect(cause).toBeInstanceOf(SmsError);
    expect(cause.providerCode).toBe(code);
  });

  test.each([1, -1])('refuses a wrong clock, direction %i', async (direction) => {
    const { cause } = await refusalOf({}, {}, skewed(direction * (cloud.windowMinutes + 1)));

    expect(cause.providerCode).toBe(cloud.codes.skewed);
  });

  test('limits messages to one mobile', async () => {
    const { double, settings } = await cloud.start();
    await send(settings);

    const error = await failureOf(send(settings));
    await send(settings, { mobile: '13800138001' });
    await double.stop();

    expect(error).toMatchObject({ code: 'sms.failed', cause: { providerCode: cloud.codes.limit } });
    expect(double.sent).toHaveLength(2);
  });

  test('reports the request ID of a refusal, and nothing of the message or the keys', async () => {
    for (const wrong of [{ secret_key: 'wrong-secret' }, { template_login: '404' }]) {
      const { error, cause } = await refusalOf(wrong);

      const shown = describeError(error);
      expect(cause.requestId).toMatch(/^[\dA-Fa-f-]{36}$/);
      expect(shown).toContain(`(${cause.providerCode}, request ${cause.requestId})`);
      expect(shown).not.toMatch(/482913|13800138000|wrong-secret|Signature=/);
    }
  });

  test('reports no text that is not a code or an ID', async () => {
    const provider = await startMisbehaving('answers other JSON');
    const [Code, RequestId] = ['the code 482913', 'for 13800138000'];
    provider.answer = { Code, RequestId, Response: { Error: { Code }, RequestId } };

    const error = await failureOf(send(smsSettings(name, provider.url)));
    await provider.stop();

    expect(error).toMatchObject({ code: 'sms.failed', cause: { message: `${name} refused the message` } });
  });

  test.each(misbehaviours.filter((each) => !isHanging(each)))('fails when it %s', async (misbehaviour) => {
    const provider = await startMisbehaving(misbehaviour);
    const settings = smsSettings(name, provider.url);

    const error = await failureOf(send(settings));
    await provider.stop();

    expect(error).toMatchObject({ code: 'sms.failed', status: 502 });
    expect(describeError(error)).not.toMatch(/482913|13800138000|Signature=/);
    expect(describeError(error)).not.toContain(settings.secret_key);
    expect(provider.requests).toBe(1);
  });

  test.each(misbehaviours.filter(isHanging))('times out after 5 s when it %s', async (misbehaviour) => {
    const provider = await startMisbehaving(misbehaviour);
    stopTime();

    const failing = failureOf(send(smsSettings(name, provider.url)));
    await provider.arrived;
    jest.advanceTimersByTime(5000);
    const error = await failing;
    jest.useRealTimers();
    await provider.stop();

    expect(error).toMatchObject({ code: 'sms.failed', cause: { reason: 'timeout' } });
  });

  test.each(['not a URL', 'ftp://127.0.0.1', 'http://user:word@127.0.0.1:1'])(
    'fails with an invalid endpoint: %s',
    async (endpoint) => {
      const error = await failureOf(send(smsSettings(name, endpoint)));

      expect(error).toMatchObject({ code: 'sms.failed' });
    },
  );

  test.each(cloud.required)('fails without the setting %s', async (key) => {
    const { double, settings } = await cloud.start();

    const error = await failureOf(send({ ...settings, [key]: '' }));
    await double.stop();

    expect(error).toMatchObject({
      code: 'sms.failed',
      cause: { message: `the setting sms.${key} is not set` },
    });
    expect(double.requests).toBe(0);
  });
});
