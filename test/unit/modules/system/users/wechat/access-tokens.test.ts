import '../../../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CacheUnavailableError } from '#shared/cache/protocol.ts';
import { failureOf, startFixture, tokenKey, type WechatFixture } from './wechat-fixture.ts';

let fixture: WechatFixture;
let warned: ReturnType<typeof jest.spyOn>;
beforeEach(async () => {
  fixture = await startFixture();
  warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(async () => {
  warned.mockRestore();
  await fixture.double.stop();
});

const minutes = 60_000;
const tokenCalls = () => fixture.double.calls['/cgi-bin/stable_token'];
const phoneCalls = () => fixture.double.calls['/wxa/business/getuserphonenumber'];
const newCode = () => fixture.double.issuePhoneCode(fixture.app.appId, { mobile: '13800138000' });
const cachedToken = () => JSON.parse(fixture.cache.values.get(tokenKey(fixture.app.appId)) ?? '{}').token;
const mobile = '13800138000';

describe('in one process', () => {
  test('is fetched once for many calls, one after the other', async () => {
    const wechat = fixture.connect();

    for (let count = 0; count < 5; count += 1) await wechat.phoneNumber(newCode());

    expect(tokenCalls()).toBe(1);
    expect(fixture.cache.commands.filter((command) => command.startsWith('GET'))).toHaveLength(1);
  });

  test('is fetched once for 100 calls at once', async () => {
    const wechat = fixture.connect();
    const held = fixture.double.hold('/cgi-bin/stable_token');

    const calls = Promise.all(Array.from({ length: 100 }, () => wechat.phoneNumber(newCode())));
    await held.arrived;
    held.letGo();

    expect(await calls).toEqual(Array.from({ length: 100 }, () => mobile));
    expect(tokenCalls()).toBe(1);
  });

  test('is refreshed once if 100 calls at once are refused', async () => {
    const wechat = fixture.connect();
    await wechat.phoneNumber(newCode());
    fixture.double.voidToken(fixture.app.appId);

    const answers = await Promise.all(Array.from({ length: 100 }, () => wechat.phoneNumber(newCode())));

    expect(answers).toHaveLength(100);
    expect(tokenCalls()).toBe(2);
    expect(phoneCalls()).toBe(201);
  });

  test.each([40001, 42001, 40014])(
    'is dropped, refreshed and tried again after errcode %i',
    async (errcode) => {
      const wechat = fixture.connect();
      await wechat.phoneNumber(newCode());
      fixture.double.failNext('/wxa/business/getuserphonenumber', errcode);
      fixture.double.voidToken(fixture.app.appId);

      expect(await wechat.phoneNumber(newCode())).toBe(mobile);
      expect(tokenCalls()).toBe(2);
      expect(phoneCalls()).toBe(3);
    },
  );

  test('is used again if WeChat refuses it and then answers it again', async () => {
    const wechat = fixture.connect();
    fixture.double.failNext('/wxa/business/getuserphonenumber', 40001);

    await wechat.phoneNumber(newCode());
    await wechat.phoneNumber(newCode());

    expect(tokenCalls()).toBe(2);
  });

  test('is replaced only once for a call', async () => {
    fixture.double.failNext('/wxa/business/getuserphonenumber', 40001, 3);

    const error = await failureOf(fixture.connect().phoneNumber(newCode()));

    expect(error).toMatchObject({ code: 'wechat.failed', cause: { errcode: 40001 } });
    expect(phoneCalls()).toBe(2);
  });

  test.each([
    ['is used until a minute before its end', 7200_000 - minutes - 1, 1],
    ['is replaced a minute before its end', 7200_000 - minutes, 2],
  ])('%s', async (_title, elapsedMs, fetches) => {
    const wechat = fixture.connect();
    await wechat.phoneNumber(newCode());
    fixture.clock.now += elapsedMs;

    expect(await wechat.phoneNumber(newCode())).toBe(mobile);
    expect(tokenCalls()).toBe(fetches);
  });

  test('that is valid for less than a minute is used for half of that time', async () => {
    await fixture.double.stop();
    fixture = await startFixture({ tokenSeconds: 40 });
    const wechat = fixture.connect();

    await wechat.phoneNumber(newCode());
    fixture.clock.now += 19_999;
    await wechat.phoneNumber(newCode());
    expect(tokenCalls()).toBe(1);
    fixture.clock.now += 1;
    await wechat.phoneNumber(newCode());

    expect(tokenCalls()).toBe(2);
  });

  test('is fetched again after a failure', async () => {
    const wechat = fixture.connect();
    fixture.double.failNext('/cgi-bin/stable_token', -1);

    expect(await failureOf(wechat.phoneNumber(newCode()))).toMatchObject({
      code: 'wechat.failed',
      cause: { errcode: -1 },
    });
    expect(await wechat.phoneNumber(newCode())).toBe(mobile);
  });

  test('fails for every call that waits for it', async () => {
    const wechat = fixture.connect();
    fixture.double.failNext('/cgi-bin/stable_token', -1);

    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => wechat.phoneNumber(newCode())),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'));
    expect(tokenCalls()).toBe(1);
  });
});

describe('between processes', () => {
  test('is shared through the cache until shortly before its end', async () => {
    await fixture.connect().phoneNumber(newCode());
    await fixture.connect().phoneNumber(newCode());

    expect(tokenCalls()).toBe(1);
    expect(fixture.cache.requests.at(-1)).toEqual([['GET', tokenKey(fixture.app.appId)]]);
    const stored = fixture.cache.commands.find((command) =>
      command.startsWith(`SET ${tokenKey(fixture.app.appId)} `),
    );
    expect(stored).toMatch(/ EX 7140$/);
  });

  test('is the same if two processes fetch it at once', async () => {
    const held = fixture.double.hold('/cgi-bin/stable_token');
    const calls = Promise.all([0, 1].map(() => fixture.connect().phoneNumber(newCode())));
    await held.arrived;
    held.letGo();

    expect(await calls).toEqual([mobile, mobile]);
    await fixture.connect().phoneNumber(newCode());
    expect(tokenCalls()).toBeLessThanOrEqual(2);
  });

  test('is taken from another process that has replaced it', async () => {
    const [first, second] = [fixture.connect(), fixture.connect()];
    await first.phoneNumber(newCode());
    await second.phoneNumber(newCode());
    fixture.double.voidToken(fixture.app.appId);
    await first.phoneNumber(newCode());

    expect(await second.phoneNumber(newCode())).toBe(mobile);
    expect(tokenCalls()).toBe(2);
  });
});

describe('a cache that', () => {
  test('is not reachable costs one fetch for each process and no failure', async () => {
    fixture.cache.failure = new CacheUnavailableError('away');
    const wechat = fixture.connect();

    await Promise.all([wechat.phoneNumber(newCode()), wechat.phoneNumber(newCode())]);
    await wechat.phoneNumber(newCode());

    expect(tokenCalls()).toBe(1);
    expect(fixture.cache.requests).toHaveLength(1);
  });

  test('fails before the token is shared does not fail the call', async () => {
    fixture.cache.delay = async ([command]) => {
      if (command?.[0] === 'SET') fixture.cache.failure = new CacheUnavailableError('away');
    };

    expect(await fixture.connect().phoneNumber(newCode())).toBe(mobile);
  });

  test.each(['', 'null', '{}', '{"token":1}', '{"token":"","expiresAt":9e15}', '<html>', '[]'])(
    'holds something else counts as empty: %s',
    async (entry) => {
      fixture.cache.values.set(tokenKey(fixture.app.appId), entry);

      expect(await fixture.connect().phoneNumber(newCode())).toBe(mobile);
      expect(tokenCalls()).toBe(1);
    },
  );

  test('holds an expired token is filled again', async () => {
    await fixture.connect().phoneNumber(newCode());
    const first = cachedToken();
    fixture.clock.now += 7200_000;

    await fixture.connect().phoneNumber(newCode());

    expect(cachedToken()).not.toBe(first);
  });
});

test('fails with a wrong secret, and keeps no token', async () => {
  const error = await failureOf(fixture.connect({ secret: 'wrong' }).phoneNumber(newCode()));

  expect(error).toMatchObject({ code: 'wechat.failed', cause: { errcode: 40125 } });
  expect(fixture.cache.values.size).toBe(0);
});
