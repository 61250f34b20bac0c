import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { followStream } from '#cli/local/stream/run-listeners.ts';
import type { StreamRecord, TableStream } from '#cli/local/stream/table-stream.ts';
import { record } from './fake-engine.ts';

const listener = { prefixes: ['A#', 'LIST'], maxAgeSeconds: 60 };
const nowSeconds = () => Date.now() / 1000;
let end: (() => Promise<void>) | undefined;

afterEach(async () => {
  await end?.();
  jest.restoreAllMocks();
});

const namesOf = (records: StreamRecord[]) => records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);

/** A stream with batches; a failed batch comes again. */
function createStream(...batches: StreamRecord[][]): TableStream {
  return {
    read: async (take) => {
      const [batch] = batches;
      if (!batch) return 0;
      await take(batch);
      batches.shift();
      return batch.length;
    },
  };
}

/** Follows a stream until `count` batches were delivered, and returns them. A batch for which `before` throws fails. */
function follow(stream: TableStream, count: number, before: (names: unknown[]) => void = () => {}) {
  const delivered: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  const deliver = async (records: StreamRecord[]) => {
    before(namesOf(records));
    delivered.push(namesOf(records));
    if (delivered.length === count) resolve(delivered);
  };
  end = followStream({ stream, listener, deliver, pollMs: 1, retryMs: 1 });
  return promise;
}

describe('followStream', () => {
  test("delivers only changes with the listener's prefixes", async () => {
    const other: StreamRecord[] = [record('B#1'), record('XA#1'), {}, { dynamodb: {} }];
    const stream = createStream(other, [record('A#1'), ...other, record('LIST')], [record('A#2')]);

    expect(await follow(stream, 2)).toEqual([['A#1', 'LIST'], ['A#2']]);
  });

  test("delivers no change that is older than the listener's limit", async () => {
    const stream = createStream([record('A#old', nowSeconds() - 61), record('A#new', nowSeconds() - 50)]);

    expect(await follow(stream, 1)).toEqual([['A#new']]);
  });

  test('continues to read an empty stream', async () => {
    const reads = [0, 0, 0, 1];
    const stream: TableStream = {
      read: async (take) => {
        const count = reads.shift() ?? 0;
        if (count > 0) await take([record('A#1')]);
        return count;
      },
    };

    expect(await follow(stream, 1)).toEqual([['A#1']]);
  });

  test('delivers again until the listener succeeds', async () => {
    let tries = 0;
    const delivered = await follow(createStream([record('A#1')]), 1, () => {
      tries += 1;
      if (tries < 4) throw new Error('on purpose');
    });

    expect([delivered, tries]).toEqual([[['A#1']], 4]);
  });

  test('drops a failing change when it is too old, and continues', async () => {
    const late = nowSeconds() + 100;
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const clock = jest.spyOn(Date, 'now');
    const stream = createStream([record('A#bad')], [record('A#good', late)]);
    const delivered = await follow(stream, 1, ([name]) => {
      if (name !== 'A#bad') return;
      clock.mockReturnValue(late * 1000);
      throw new Error('on purpose');
    });

    expect(delivered).toEqual([['A#good']]);
  });

  test('reports a failing stream once', async () => {
    const write = jest.spyOn(console, 'error').mockImplementation(() => {});
    let reads = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = async () => {
      reads += 1;
      if (reads === 20) resolve();
      throw new Error('on purpose');
    };
    end = followStream({ stream: { read }, listener, deliver: async () => {}, pollMs: 1, retryMs: 1 });
    await promise;

    expect(write).toHaveBeenCalledTimes(1);
    expect(write).toHaveBeenCalledWith(expect.stringContaining('The stream'), new Error('on purpose'));
  });

  test('ends after the current call', async () => {
    const order: string[] = [];
    const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deliver = async () => {
      arrived.resolve();
      await held.promise;
      order.push('delivered');
    };
    end = followStream({ stream: createStream([record('A#1')]), listener, deliver });
    await arrived.promise;

    const ending = end().then(() => order.push('ended'));
    held.resolve();
    await ending;

    expect(order).toEqual(['delivered', 'ended']);
  });
});
