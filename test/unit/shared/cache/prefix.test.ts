import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withPrefix } from '#shared/cache/prefix.ts';
import type { Command, Reply } from '#shared/cache/protocol.ts';

const send = async (command: Command, reply: Reply = { result: 'OK' }) => {
  const sent: Command[] = [];
  const [answer] = await withPrefix(async (pipeline) => {
    sent.push(...pipeline);
    return [reply];
  }, 'pr-1:')([command]);
  return { sent: sent[0], answer };
};

describe('withPrefix', () => {
  it.each([
    ['get a', 'get pr-1:a'],
    ['set a a ex 5', 'set pr-1:a a ex 5'],
    ['mget a b', 'mget pr-1:a pr-1:b'],
    ['del a b', 'del pr-1:a pr-1:b'],
    ['zrem a a', 'zrem pr-1:a a'],
    ['expire a 5 NX', 'expire pr-1:a 5 NX'],
    ['evalsha sha 2 a b c', 'evalsha sha 2 pr-1:a pr-1:b c'],
    ['ping', 'ping'],
  ])('sends %s as %s', async (command, expected) => {
    const words = (text: string) =>
      text.split(' ').map((word) => (/^\d$/.test(word) ? Number(word) : word)) as unknown as Command;

    expect((await send(words(command))).sent).toEqual(words(expected));
  });

  it('looks for keys with the prefix, and names them without it', async () => {
    const { sent, answer } = await send(['scan', '0', 'match', 'service:dict:*', 'count', 200], {
      result: ['7', ['pr-1:service:dict:a']],
    });

    expect(sent).toEqual(['scan', '0', 'match', 'pr-1:service:dict:*', 'count', 200]);
    expect(answer).toEqual({ result: ['7', ['service:dict:a']] });
  });

  it('refuses a command whose keys it does not know', async () => {
    await expect(send(['flushdb'])).rejects.toThrow('flushdb');
  });

  it('keeps the keys of two stages apart, for any keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 1 }), async (names) => {
        const { sent } = await send(['mget', ...names]);

        expect(sent?.slice(1).every((key) => String(key).startsWith('pr-1:'))).toBe(true);
      }),
    );
  });
});
