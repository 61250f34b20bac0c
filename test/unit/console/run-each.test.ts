import { expect, test } from '@jest/globals';
import { runEach } from '#console/pages/selection/run-each.ts';

const refusal = (message: string, status: number) => Object.assign(new Error(message), { status });
const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }));

/** Runs over the rows. @returns the rows that were sent, the progress, and what is left by ID and message */
async function run(send: (id: string, controller: AbortController) => void) {
  const controller = new AbortController();
  const sent: string[] = [];
  const progress: number[] = [];
  const left = await runEach(
    rows,
    async ({ id }) => {
      sent.push(String(id));
      send(String(id), controller);
    },
    { signal: controller.signal, onProgress: (count) => progress.push(count) },
  );
  return { sent, progress, left: left.map(({ row, error }) => [row.id, error?.message]) };
}

test('sends each row once, in their order', async () => {
  expect(await run(() => {})).toEqual({ sent: ['a', 'b', 'c', 'd'], progress: [1, 2, 3, 4], left: [] });
});

test('goes on after a row that is refused, and keeps it with the reason', async () => {
  const { sent, left } = await run((id) => {
    if (id === 'b') throw refusal('in use', 409);
  });

  expect(sent).toEqual(['a', 'b', 'c', 'd']);
  expect(left).toEqual([['b', 'in use']]);
});

test('stops before the next row, and keeps those whose turn has not come', async () => {
  const { sent, left } = await run((id, controller) => {
    if (id === 'b') controller.abort();
  });

  expect(sent).toEqual(['a', 'b']);
  expect(left).toEqual([
    ['c', undefined],
    ['d', undefined],
  ]);
});

test.each([0, 401])('ends with the first answer %i: no later request can succeed', async (status) => {
  const { sent, left } = await run((id) => {
    if (id === 'b') throw refusal('lost', status);
  });

  expect(sent).toEqual(['a', 'b']);
  expect(left).toEqual([
    ['b', 'lost'],
    ['c', undefined],
    ['d', undefined],
  ]);
});
