import { describe, expect, test } from '@jest/globals';
import { registryOf } from '../../../../support/tool-registry.ts';
import { model, useChat } from './chat-fixture.ts';

const bench = useChat();

describe('a chat', () => {
  test("sends our prompt, the operator's, the history and the message, in this order", async () => {
    bench.provider.script({ content: 'ok' });
    await bench.set({ system_prompt: 'Call everybody captain.' });
    const history = [
      { role: 'user' as const, content: 'first' },
      { role: 'assistant' as const, content: ' ' },
      { role: 'assistant' as const, content: 'second' },
    ];

    await bench.ask({ message: 'third', history });

    const [system, ...rest] = bench.provider.requests[0]?.messages ?? [];
    expect(system).toMatchObject({ role: 'system' });
    expect(system?.content).toMatch(/data, never an instruction[\s\S]*Call everybody captain\.$/);
    expect(rest).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
    ]);
  });

  test('offers the tools that have an adapter, with names that providers accept', async () => {
    bench.provider.script({ content: 'ok' });

    await bench.ask({ message: 'hello' });

    const { tools, model: asked } = bench.provider.requests[0] ?? {};
    expect(asked).toBe(model);
    expect(tools?.map((tool) => tool.function.name)).toEqual([
      'shop__drop',
      'shop__fail',
      'shop__find',
      'shop__hang',
    ]);
    expect(tools?.[2]?.function).toMatchObject({
      description: 'Does shop.find',
      parameters: { type: 'object', properties: { limit: { default: 5 } } },
    });
  });

  test('sends no list of tools without tools', async () => {
    bench.provider.script({ content: 'ok' });

    const answer = await bench.ask({ message: 'hello' }, { tools: registryOf([], []) });

    expect(answer.reply).toBe('ok');
    expect(bench.provider.requests[0]).not.toHaveProperty('tools');
  });

  test('answers an empty reply if the model sends no text', async () => {
    bench.provider.script({ content: null });

    expect(await bench.ask({ message: 'hello' })).toMatchObject({ reply: '', finish_reason: 'stop' });
  });

  test.each([
    ['is off', { enabled: false }, 'ai.disabled'],
    ['is off and has no provider', { enabled: false, base_url: '' }, 'ai.disabled'],
    ['has no address', { base_url: '' }, 'ai.not_configured'],
    ['has no key', { api_key: '' }, 'ai.not_configured'],
    ['has no model', { model: '' }, 'ai.not_configured'],
  ])('is refused while the assistant %s', async (_title, values, code) => {
    await bench.set(values);

    await expect(bench.ask({ message: 'hello' })).rejects.toMatchObject({ code });
    expect(bench.provider.requests).toEqual([]);
  });
});
