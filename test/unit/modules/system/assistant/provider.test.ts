import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { toDay } from '#shared/config/local-time.ts';
import { getItem } from '#shared/db/items.ts';
import { type Misbehaviour, misbehaviours, startMisbehaving } from '../../../../doubles/misbehaving.ts';
import type { Turn } from '../../../../doubles/openai.ts';
import { inAnotherProcess } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { createAdmin, createRequest } from '../../../../support/tool-caller.ts';
import { createChatCaller, key, useChat } from './chat-fixture.ts';
import { createTools, findings } from './tool-fixture.ts';

const bench = useChat();
afterEach(() => {
  jest.restoreAllMocks();
});

const failed = { code: 'ai.provider_failed', status: 502, data: null };
/** Time for a chat to begin and to wait for a moment. */
const shortly = { request: createRequest(() => 2300) };
const waiting: Misbehaviour[] = ['hangs', 'hangs in its body'];
const ask = () => bench.ask({ message: 'hello' });
const failOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((reason: unknown) => reason);
  expect(error).toMatchObject(failed);
  return error instanceof Error ? error : new Error('no failure');
};

/** Everything that could be logged of an error. */
function unroll(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause ? unroll(error.cause) : ''}`;
}

describe('a provider', () => {
  test.each(misbehaviours)('that %s is no provider, and the key stays secret', async (misbehaviour) => {
    const double = await startMisbehaving(misbehaviour);
    try {
      await bench.set({ base_url: `${double.url}/v1` });

      const error = await failOf(
        bench.ask({ message: 'hello' }, waiting.includes(misbehaviour) ? shortly : {}),
      );

      // A failed request is not repeated.
      expect(double.requests).toBeLessThanOrEqual(1);
      expect(unroll(error) + bench.logged()).not.toContain(key);
    } finally {
      await double.stop();
    }
  });

  const good = { role: 'assistant', content: 'x' };
  test.each<[string, unknown]>([
    ['null', null],
    ['no choices', { choices: [] }],
    ['a choice without a message', { choices: [{}] }],
    ['a content that is no text', { choices: [{ message: { role: 'assistant', content: { a: 1 } } }] }],
    ['calls that are no list', { choices: [{ message: { ...good, tool_calls: {} } }] }],
    ['a call of nothing', { choices: [{ message: { ...good, tool_calls: [null] } }] }],
    [
      'a call without a name',
      { choices: [{ message: { ...good, tool_calls: [{ function: { arguments: '{}' } }] } }] },
    ],
    [
      'a call with an object',
      { choices: [{ message: { ...good, tool_calls: [{ function: { name: 'a', arguments: {} } }] } }] },
    ],
    [
      'a call of another kind',
      { choices: [{ message: { ...good, tool_calls: [{ type: 'custom', custom: {} }] } }] },
    ],
    ['an error under 200', { error: { message: 'quota', code: 'insufficient_quota' } }],
  ])('that answers %s fails the chat', async (_title, body) => {
    bench.provider.script({ status: 200, body });

    await failOf(ask());
  });

  test.each<[number, unknown, string]>([
    [429, { error: { code: 'rate_limit_exceeded', message: 'slow down' } }, '429 (rate_limit_exceeded)'],
    [500, { error: { type: 'server_error', code: null } }, '500 (server_error)'],
    [503, 'overloaded', '503'],
    [400, { error: { code: `invalid ${key}` } }, '400'],
    [401, { error: { code: key } }, '401'],
    [418, { error: { code: `x.${key}` } }, '418'],
    [202, {}, '202'],
  ])('that answers %i fails with a cause that only the log shows', async (status, body, text) => {
    bench.provider.script({ status, body });

    const error = await failOf(ask());

    expect(error.cause).toMatchObject({ message: `the provider answered ${text}` });
    expect(unroll(error)).not.toContain(key);
    expect(bench.provider.requests).toHaveLength(1);
  });

  test('that refuses the key and repeats it in the answer fails without showing it', async () => {
    const other = 'sk-another';
    await bench.set({ api_key: other });

    const error = await failOf(ask());

    expect(error.cause).toMatchObject({ message: 'the provider answered 401 (invalid_api_key)' });
    expect(unroll(error) + bench.logged()).not.toContain(other);
  });

  test('on a private network is not called unless that is allowed', async () => {
    let error: unknown;

    await inAnotherProcess({ ALLOW_PRIVATE_ENDPOINTS: '0' }, async () => {
      const { chat } = await import('#modules/System/assistant/chat.ts');
      const context = { ...createChatCaller(), tools: createTools().registry };
      error = await chat({ message: 'hello' }, context).catch((reason: unknown) => reason);
    });

    expect(error).toMatchObject({ ...failed, cause: { reason: 'denied' } });
    expect(bench.provider.requests).toEqual([]);
  });

  test.each([{ prompt_tokens: -1, completion_tokens: 'many' }, 'none', null, {}, undefined])(
    'that reports the usage %j does not fail the chat',
    async (usage) => {
      const message = { role: 'assistant', content: 'ok' };
      bench.provider.script({ status: 200, body: { choices: [{ message }], usage } });

      expect(await ask()).toMatchObject({ reply: 'ok', usage: { input_tokens: 0, output_tokens: 0 } });
    },
  );

  test('may omit optional fields', async () => {
    const call = { function: { name: 'shop__find', arguments: null } };
    bench.provider.script(
      { status: 200, body: { choices: [{ message: { tool_calls: [call, call] } }] } },
      { status: 200, body: { choices: [{ message: { content: 'ok', tool_calls: null } }] } },
    );

    const answer = await ask();

    expect(answer).toMatchObject({ reply: 'ok', finish_reason: 'stop' });
    expect(answer.steps).toHaveLength(2);
  });
});

describe('a chat that fails after its first request', () => {
  test('has its usage recorded', async () => {
    bench.provider.script({ calls: [{ name: 'shop__find' }] }, { status: 500, body: null });
    const admin = createAdmin('01BX5ZZKBKACTAV9WEVGEMMVRZ');

    await failOf(bench.ask({ message: 'hello' }, { admin }));

    expect(await getItem(keys.aiUsageOf(toDay(), admin.id))).toMatchObject({
      ...{ calls: 2, input_tokens: 100, output_tokens: 10 },
    });
  });
});

describe('the time of a chat', () => {
  /** Stops the clock; at the model's first turn the given time passes. */
  function passAtFirstTurn(elapsedMs: number, turn: Turn, next: Turn): void {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    const first = () => {
      clock.mockReturnValue(now + elapsedMs);
      return turn;
    };
    bench.provider.script(first, next);
  }
  const endless = { request: createRequest(() => 900_000) };

  test.each([
    [10_000, { reply: 'ok', finish_reason: 'stop', steps: [{ error: { code: 'tool.failed' } }] }],
    [24_000, { reply: 'wait', finish_reason: 'deadline', steps: [{ error: { code: 'tool.timeout' } }] }],
  ])('is at most 24 seconds, even if the function has more: after %i ms', async (elapsedMs, expected) => {
    passAtFirstTurn(elapsedMs, { content: 'wait', calls: [{ name: 'shop__fail' }] }, { content: 'ok' });

    expect(await bench.ask({ message: 'hello' }, endless)).toMatchObject(expected);
  });

  test('that ends at its second request answers the partial result', async () => {
    passAtFirstTurn(20_000, { content: 'wait', calls: [{ name: 'shop__find' }] }, () => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
      return { calls: [{ name: 'shop__find' }] };
    });

    expect(await bench.ask({ message: 'hello' }, endless)).toMatchObject({
      ...{ finish_reason: 'deadline', steps: [{ result: findings }, { error: { code: 'tool.timeout' } }] },
      usage: { input_tokens: 200, output_tokens: 20 },
    });
  });

  test('answers the partial result if the provider stops answering', async () => {
    passAtFirstTurn(23_950, { content: 'wait', calls: [{ name: 'shop__fail' }] }, 'never');

    expect(await bench.ask({ message: 'hello' }, endless)).toMatchObject({
      ...{ reply: 'wait', finish_reason: 'deadline' },
      usage: { input_tokens: 100, output_tokens: 10 },
    });
  });

  test('also ends tools', async () => {
    const calls = [{ name: 'shop__hang' }, { name: 'shop__find' }];
    passAtFirstTurn(22_950, { calls }, { content: 'ok' });

    const { steps } = await bench.ask({ message: 'hello' }, endless);

    expect(steps).toMatchObject([{ error: { code: 'tool.timeout' } }, { result: findings }]);
  });

  test('that is over before it begins does not call the provider', async () => {
    await failOf(bench.ask({ message: 'hello' }, { request: createRequest(() => 1000) }));

    expect(bench.provider.requests).toEqual([]);
  });
});
