import { expect, test } from '@jest/globals';
import { useLatest } from '#console/base/latest.ts';

/** Reads that the test answers, in any order. */
function createReads() {
  const latest = useLatest();
  const seen: string[] = [];
  const start = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const asked: { signal?: AbortSignal } = {};
    const done = latest.run(
      (signal) => {
        asked.signal = signal;
        return promise;
      },
      (answer) => void seen.push(answer),
      ({ message }) => void seen.push(`refused: ${message}`),
    );
    return { asked, resolve, reject, done };
  };
  return { latest, seen, start };
}

test('shows the answer of the latest read only, whichever comes first', async () => {
  const { latest, seen, start } = createReads();
  const [early, late] = [start(), start()];
  expect([early.asked.signal?.aborted, late.asked.signal?.aborted]).toEqual([true, false]);

  late.resolve('late');
  await late.done;
  expect(latest.isLoading.value).toBe(false);
  early.resolve('early');
  await early.done;

  expect(seen).toEqual(['late']);
});

test('is still loading when a read that was overtaken fails', async () => {
  const { latest, seen, start } = createReads();
  const [early, late] = [start(), start()];
  early.reject(new Error('aborted'));
  await early.done;
  expect([latest.isLoading.value, seen]).toEqual([true, []]);

  late.reject('no text of an error');
  await late.done;

  expect([latest.isLoading.value, seen]).toEqual([false, ['refused: no text of an error']]);
});

test('drops a read that is cancelled', async () => {
  const { latest, seen, start } = createReads();
  const read = start();
  latest.cancel();
  expect(read.asked.signal?.aborted).toBe(true);

  read.resolve('never');
  await read.done;

  expect([latest.isLoading.value, seen]).toEqual([false, []]);
});
