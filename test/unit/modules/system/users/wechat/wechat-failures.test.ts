import '../../../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Wechat } from '#modules/System/users/wechat/wechat.ts';
import { type Misbehaviour, misbehaviours, startMisbehaving } from '../../../../../doubles/misbehaving.ts';
import { stopTime } from '../../../../../support/fake-time.ts';
import { describeError, failureOf, startFixture, type WechatFixture } from './wechat-fixture.ts';

let fixture: WechatFixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.double.stop());

const operations: [name: string, call: (wechat: Wechat) => Promise<unknown>][] = [
  ['codeToSession', (wechat) => wechat.codeToSession('login-code')],
  ['oauthToOpenId', (wechat) => wechat.oauthToOpenId('oauth-code')],
  ['phoneNumber', (wechat) => wechat.phoneNumber('phone-code')],
];
const isHanging = (misbehaviour: Misbehaviour) =>
  misbehaviour.startsWith('hangs') && misbehaviour !== 'hangs up';

describe.each(operations)('%s', (_name, call) => {
  test.each(misbehaviours.filter((each) => !isHanging(each)))(
    'fails when WeChat %s',
    async (misbehaviour) => {
      const provider = await startMisbehaving(misbehaviour);
      provider.redirectTo = fixture.double.url;

      const error = await failureOf(call(fixture.connect({ baseUrl: provider.url })));
      await provider.stop();

      expect(error).toMatchObject({ code: 'wechat.failed', status: 502 });
      expect(describeError(error)).not.toContain(fixture.app.secret);
      expect(describeError(error)).not.toMatch(/(?:login|oauth|phone)-code/);
      expect(Object.values(fixture.double.calls)).toEqual([]);
    },
  );

  test.each(misbehaviours.filter(isHanging))('times out after 5 s when WeChat %s', async (misbehaviour) => {
    const provider = await startMisbehaving(misbehaviour);
    stopTime();
    let error: Error | undefined;

    const settled = failureOf(call(fixture.connect({ baseUrl: provider.url }))).then((failure) => {
      error = failure;
    });
    await provider.arrived;
    jest.advanceTimersByTime(4999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(error).toBeUndefined();
    jest.advanceTimersByTime(1);
    await settled;
    jest.useRealTimers();
    await provider.stop();

    expect(error).toMatchObject({ code: 'wechat.failed', cause: { reason: 'timeout' } });
  });

  test('fails if WeChat is not reachable', async () => {
    await fixture.double.stop();

    expect(await failureOf(call(fixture.connect()))).toMatchObject({
      code: 'wechat.failed',
      cause: { reason: 'unreachable' },
    });
  });
});

test('accepts no answer with an error status', async () => {
  const provider = await startMisbehaving('answers 502 with JSON');
  provider.answer = { openid: 'o-1', session_key: 'key' };

  const error = await failureOf(fixture.connect({ baseUrl: provider.url }).codeToSession('login-code'));
  await provider.stop();

  expect(error).toMatchObject({ code: 'wechat.failed' });
});

test('reports nothing of a message that ends like a request ID', async () => {
  const provider = await startMisbehaving('answers other JSON');
  provider.answer = { errcode: 40029, errmsg: `secret ${fixture.app.secret} rid: not an ID ` };

  const error = await failureOf(fixture.connect({ baseUrl: provider.url }).codeToSession('login-code'));
  await provider.stop();

  expect(error).toMatchObject({ code: 'auth.code_invalid' });
  expect(describeError(error)).not.toMatch(/not an ID|secret/);
});
