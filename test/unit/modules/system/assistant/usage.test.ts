import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { readAiUsage, recordAiUsage } from '#modules/System/assistant/usage.ts';
import { toDay } from '#shared/config/local-time.ts';
import { getItem } from '#shared/db/items.ts';
import { throughProxy } from '../../../../contract/database/engine-proxy.ts';
import { stopClock } from '../../../../support/fake-time.ts';
import { keys } from '../../../../support/keys.ts';
import { registryOf } from '../../../../support/tool-registry.ts';
import { adminId, createChatCaller, useChat } from './chat-fixture.ts';

const bench = useChat();
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Sets the date to a day that no other test uses. */
function setDay(day: string): void {
  stopClock();
  jest.setSystemTime(new Date(`${day}T04:00:00Z`));
}

describe('the recorded usage', () => {
  test('adds up by day, and by day and administrator', async () => {
    setDay('2031-05-10');
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        recordAiUsage(index < 3 ? 'a' : 'b', { calls: 1, input_tokens: 10, output_tokens: index }),
      ),
    );

    const [total, a, b] = await Promise.all(
      [keys.aiUsage('2031-05-10'), ...['a', 'b'].map((id) => keys.aiUsageOf('2031-05-10', id))].map(getItem),
    );

    expect([total, a, b]).toMatchObject([
      { calls: 8, input_tokens: 80, output_tokens: 28 },
      { calls: 3, input_tokens: 30, output_tokens: 3 },
      { calls: 5, input_tokens: 50, output_tokens: 25 },
    ]);
  });

  test('is read for the last days, zeros included, and in total', async () => {
    setDay('2032-03-01');
    await recordAiUsage('a', { calls: 1, input_tokens: 5, output_tokens: 1 });
    setDay('2032-02-28');
    await recordAiUsage('a', { calls: 2, input_tokens: 7, output_tokens: 2 });
    setDay('2032-02-01');
    await recordAiUsage('a', { calls: 99, input_tokens: 99, output_tokens: 99 });
    setDay('2032-03-01');

    expect(await readAiUsage(3)).toEqual({
      days: [
        { date: '2032-02-28', calls: 2, input_tokens: 7, output_tokens: 2 },
        { date: '2032-02-29', calls: 0, input_tokens: 0, output_tokens: 0 },
        { date: '2032-03-01', calls: 1, input_tokens: 5, output_tokens: 1 },
      ],
      total: { calls: 3, input_tokens: 12, output_tokens: 3 },
    });
  });

  test('is read for 90 days in one request', async () => {
    const operations: string[] = [];
    let days = 0;

    await throughProxy(
      (operation) => {
        operations.push(operation);
        return 'pass';
      },
      async () => {
        const usage = await import('#modules/System/assistant/usage.ts');
        days = (await usage.readAiUsage(90)).days.length;
      },
    );

    expect([days, operations]).toEqual([90, ['BatchGetItem']]);
  });

  test('counts every request of a chat for its administrator', async () => {
    const before = (await readAiUsage(1)).total;
    bench.provider.script({ calls: [{ name: 'shop__find' }] }, { content: 'ok' });

    await bench.ask({ message: 'hello' });

    expect((await readAiUsage(1)).total).toEqual({
      calls: before.calls + 2,
      input_tokens: before.input_tokens + 200,
      output_tokens: before.output_tokens + 20,
    });
    expect(await getItem(keys.aiUsageOf(toDay(), adminId))).toMatchObject({ calls: expect.any(Number) });
  });

  test('does not fail the chat if it cannot be written', async () => {
    bench.provider.script({ content: 'ok' });
    let answer: unknown;

    await throughProxy(
      (operation) => (operation === 'TransactWriteItems' ? 'cut' : 'pass'),
      async () => {
        const { chat } = await import('#modules/System/assistant/chat.ts');
        answer = await chat({ message: 'hello' }, { ...createChatCaller(), tools: registryOf([], []) });
      },
    );

    expect(answer).toMatchObject({ reply: 'ok' });
    expect(bench.logged()).toContain('ai.usage_unrecorded');
  });
});
