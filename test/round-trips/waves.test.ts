import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { createWaves } from './waves.ts';

const waves = createWaves();
afterAll(() => waves.stop());

const ask = (text: string) => waves.pass(text, async () => text);
const hash = () => promisify(scrypt)('password', 'salt', 32);

test('requests after an answer are a new wave, requests that leave together are one', async () => {
  const recording = await waves.record(async () => {
    await Promise.all([ask('a'), ask('b')]);
    await ask('c');
  });

  expect(recording).toEqual({ waves: [['a', 'b'], ['c']], unawaited: [], timers: [] });
});

test('a wave waits for pending work of any duration', async () => {
  const slowly = async () => {
    await hash();
    await ask('b');
  };

  expect((await waves.record(() => Promise.all([ask('a'), slowly()]))).waves).toEqual([['a', 'b']]);
});

test('work between two waves is not a wave', async () => {
  const recording = await waves.record(async () => {
    await ask('a');
    await hash();
    await ask('b');
  });

  expect(recording.waves).toEqual([['a'], ['b']]);
});

test('reports a request that is not awaited, also if it leaves after the answer', async () => {
  const early = await waves.record(async () => void ask('a'));
  const late = await waves.record(async () => void hash().then(() => ask('b')));

  expect([early.unawaited, late.unawaited]).toEqual([['a'], ['b']]);
});

test('reports a timer that is left behind, with its place', async () => {
  let timer: NodeJS.Timeout | undefined;
  const recording = await waves.record(async () => {
    timer = setTimeout(() => {}, 60_000);
    setTimeout(() => {}, 60_000).unref();
    clearTimeout(setTimeout(() => {}, 60_000));
  });
  clearTimeout(timer);

  expect(recording.timers).toEqual([expect.stringContaining('waves.test.ts')]);
});

test('an error of the recorded work is passed on, and later requests are not held', async () => {
  const failing = waves.record(() => Promise.reject(new Error('away')));

  await expect(failing).rejects.toThrow('away');
  expect(await ask('a')).toBe('a');
});
