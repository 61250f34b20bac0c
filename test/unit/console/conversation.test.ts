import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listPending, type Turn, toHistory, toTurn } from '#modules/System/Console/assistant/conversation.ts';

const turn = (text: string, role: Turn['role'] = 'user'): Turn => ({ role, text, calls: [] });

describe('the history of a chat', () => {
  test('keeps the order and leaves out turns without text', () => {
    const history = toHistory([turn('one'), turn(' ', 'assistant'), turn('two')]);

    expect(history).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
  });

  test('keeps the newest turns within the limits of the route', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 4000 }), { maxLength: 60 }), (texts) => {
        const history = toHistory(texts.map((text) => turn(text)));

        const sizeBytes = history.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
        expect(history.length).toBeLessThanOrEqual(40);
        expect(sizeBytes).toBeLessThanOrEqual(65_536);
        const contents = texts.filter((text) => text.trim() !== '');
        expect(history.map(({ content }) => content)).toEqual(
          contents.slice(contents.length - history.length),
        );
      }),
    );
  });
});

describe('an answer', () => {
  const answer = {
    reply: 'done',
    steps: [
      { name: 'a', arguments: {}, result: 1 },
      { name: 'b', arguments: {}, error: { code: 'tool.failed', message: 'no' } },
    ],
    pending: [{ name: 'c', arguments: { id: 1 }, description: 'Delete the article', confirm_token: 'token' }],
  };

  test('shows finished, failed and waiting calls', () => {
    const { calls } = toTurn(answer);

    expect(calls.map(({ name, state }) => [name, state])).toEqual([
      ['a', 'done'],
      ['b', 'failed'],
      ['c', 'pending'],
    ]);
  });

  test('lists only the calls that wait for the operator', () => {
    expect(listPending([turn('hello'), toTurn(answer)])).toEqual([
      {
        name: 'c',
        description: 'Delete the article',
        arguments: { id: 1 },
        confirmToken: 'token',
        state: 'pending',
      },
    ]);
  });
});
