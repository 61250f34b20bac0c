import '../support/environment.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { useDatabase } from '../support/database.ts';
import { books } from './list-fixture.ts';

useDatabase('dynoxide');

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
/** Bytes in use. */
function measureHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('an import of ten thousand lines holds no more memory at its end than at its beginning', async () => {
  const heap: number[] = [];
  for (let from = 0; from < 10_000; from += 100) {
    const lines = Array.from({ length: 100 }, (_none, at) => ({
      line: from + at + 2,
      values: { title: `Book ${from + at}`, due: '2026-03-29', pages: at },
    }));
    expect(await books.importLines({ key: 'a-file-of-ten-thousand', check: false, lines })).toMatchObject({
      added: 100,
    });
    if (from % 1000 === 900) heap.push(measureHeap());
  }

  const [first = 0] = heap;
  expect(Math.max(...heap) - first).toBeLessThan(1024 ** 2);
}, 300_000);
