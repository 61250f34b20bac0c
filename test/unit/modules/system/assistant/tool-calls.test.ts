import { describe, expect, test } from '@jest/globals';
import { adminId, lastOutcomes, useChat } from './chat-fixture.ts';
import { findings } from './tool-fixture.ts';

const bench = useChat();
const ask = (message = 'hello') => bench.ask({ message });

describe('a tool that reads', () => {
  test('runs without confirmation; its result goes to the model and into the steps', async () => {
    bench.provider.script({ calls: [{ name: 'shop__find', arguments: { limit: 2 } }] }, { content: 'two' });

    const answer = await ask();

    expect(answer).toEqual({
      reply: 'two',
      steps: [{ name: 'shop.find', arguments: { limit: 2 }, result: findings }],
      pending: [],
      usage: { input_tokens: 200, output_tokens: 20 },
      finish_reason: 'stop',
    });
    expect(lastOutcomes(bench.provider)).toEqual([findings]);
    expect(bench.deeds.contexts).toMatchObject([
      { channel: 'chat', admin: { id: adminId }, requestId: 'request-1' },
    ]);
  });

  test.each([
    ['nothing', ''],
    ['an empty object', '{}'],
  ])('treats %s as no arguments', async (_title, text) => {
    bench.provider.script({ calls: [{ name: 'shop__find', arguments: text }] }, { content: 'ok' });

    const { steps } = await ask();

    expect(steps).toMatchObject([{ arguments: {}, result: findings }]);
    expect(bench.deeds.found).toEqual([{ limit: 5 }]);
  });

  test('gets one outcome for each of several calls at once', async () => {
    const calls = [3, 1, 3].map((limit) => ({ name: 'shop__find', arguments: { limit } }));
    bench.provider.script({ calls: [...calls, { name: 'shop__fail' }] }, { content: 'ok' });

    const { steps } = await ask();

    expect(bench.deeds.found).toEqual([{ limit: 3 }, { limit: 1 }, { limit: 3 }]);
    expect(steps.map(({ name }) => name)).toEqual(['shop.find', 'shop.find', 'shop.find', 'shop.fail']);
    expect(lastOutcomes(bench.provider)).toEqual([
      findings,
      findings,
      findings,
      { error: expect.anything() },
    ]);
  });
});

describe('a call that cannot run', () => {
  test.each([
    [{ name: 'shop__invented' }, 'tool.not_registered', 'shop.invented'],
    [{ name: 'shop__hidden' }, 'tool.not_registered', 'shop.hidden'],
    [{ name: 'shop.find' }, 'tool.not_registered', 'shop.find'],
    [{ name: 'constructor' }, 'tool.not_registered', 'constructor'],
    [{ name: 'shop__find', arguments: { limit: 10 } }, 'tool.arguments_invalid', 'shop.find'],
    [{ name: 'shop__find', arguments: { a: 1 } }, 'tool.arguments_invalid', 'shop.find'],
    [{ name: 'shop__find', arguments: '{"limit":' }, 'tool.arguments_invalid', 'shop.find'],
    [{ name: 'shop__find', arguments: [1] }, 'tool.arguments_invalid', 'shop.find'],
    [{ name: 'shop__fail' }, 'tool.failed', 'shop.fail'],
    [{ name: 'shop__drop', arguments: {} }, 'tool.arguments_invalid', 'shop.drop'],
  ])('%j is a step with an error, and the model may continue', async (call, code, name) => {
    bench.provider.script({ calls: [call] }, { content: 'I see' });

    const answer = await ask();

    expect(answer).toMatchObject({ reply: 'I see', finish_reason: 'stop', pending: [] });
    expect(answer.steps).toEqual([
      expect.objectContaining({
        name,
        error: expect.objectContaining({ code, message: expect.any(String) }),
      }),
    ]);
    expect(JSON.stringify(bench.provider.requests.at(-1)?.messages.at(-1))).not.toContain('broken inside');
    expect(bench.deeds).toMatchObject({ found: [], dropped: [] });
  });

  test('reports the wrong arguments to the model and the administrator', async () => {
    bench.provider.script({ calls: [{ name: 'shop__find', arguments: { limit: 10 } }] }, { content: 'ok' });

    const { steps } = await ask();

    expect(steps[0]?.error?.errors).toEqual([{ path: 'arguments.limit', message: expect.any(String) }]);
    expect(lastOutcomes(bench.provider)).toEqual([{ error: steps[0]?.error }]);
  });
});

describe('a model that calls tools', () => {
  test('endlessly is stopped after max_steps', async () => {
    await bench.set({ max_steps: 3 });
    bench.provider.script({ content: 'thinking', calls: [{ name: 'shop__find' }] });

    const answer = await ask();

    expect(answer).toMatchObject({ reply: 'thinking', finish_reason: 'max_steps' });
    expect(answer.steps).toHaveLength(3);
    expect(bench.provider.requests).toHaveLength(4);
    expect(bench.deeds.found).toHaveLength(3);
  });

  test('that do not exist endlessly is stopped too', async () => {
    await bench.set({ max_steps: 2 });
    bench.provider.script({ calls: [{ name: 'shop__invented' }] });

    const answer = await ask();

    expect(answer).toMatchObject({ finish_reason: 'max_steps' });
    expect(answer.steps).toHaveLength(2);
  });

  test('all at once gets at most the limit', async () => {
    await bench.set({ max_steps: 2 });
    bench.provider.script({ calls: Array.from({ length: 500 }, () => ({ name: 'shop__find' })) });

    const answer = await ask();

    expect(answer).toMatchObject({ finish_reason: 'max_steps' });
    expect([answer.steps.length, bench.deeds.found.length]).toEqual([2, 2]);
    expect(bench.provider.requests).toHaveLength(1);
  });

  test('may answer after its last call', async () => {
    await bench.set({ max_steps: 1 });
    bench.provider.script({ calls: [{ name: 'shop__find' }] }, { content: 'done' });

    expect(await ask()).toMatchObject({
      reply: 'done',
      finish_reason: 'stop',
      steps: [{ result: findings }],
    });
  });
});

describe('the result of a tool', () => {
  test('adds no tools', async () => {
    bench.provider.script({ calls: [{ name: 'shop__find' }] }, { content: 'ok' });

    await ask();

    const [first, second] = bench.provider.requests;
    expect(second?.tools).toEqual(first?.tools);
    expect(second?.messages.filter(({ role }) => role === 'system')).toHaveLength(1);
  });
});
