import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type FollowOptions, followStream } from '#cli/local/stream/run-listeners.ts';
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

/** Follows a stream until `count` batches were delivered, and returns them. */
function follow(stream: TableStream, count: number, options: Partial<FollowOptions> = {}) {
  const delivered: unknown[] = [];
  return new Promise<unknown[]>((resolve) => {
    const deliver = async (records: StreamRecord[]) => {
      delivered.push(namesOf(records));
      if (delivered.length === count) resolve(delivered);
    };
    end = followStream({ stream, listener, deliver, pollMs: 1, retryMs: 1, ...options });
  });
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
    const delivered = await new Promise<unknown[]>((resolve) => {
      const deliver = async (records: StreamRecord[]) => {
        tries += 1;
        if (tries < 4) throw new Error('on purpose');
        resolve(namesOf(records));
      };
      const stream = createStream([record('A#1')]);
      end = followStream({ stream, listener, deliver, pollMs: 1, retryMs: 1 });
    });

    expect([delivered, tries]).toEqual([['A#1'], 4]);
  });

  test('drops a failing change when it is too old, and continues', async () => {
    const late = nowSeconds() + 100;
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const delivered = await new Promise<unknown[]>((resolve) => {
      const clock = jest.spyOn(Date, 'now');
      const deliver = async (records: StreamRecord[]) => {
        const [name] = namesOf(records);
        if (name !== 'A#bad') return resolve(namesOf(records));
        clock.mockReturnValue(late * 1000);
        throw new Error('on purpose');
      };
      const stream = createStream([record('A#bad')], [record('A#good', late)]);
      end = followStream({ stream, listener, deliver, pollMs: 1, retryMs: 1 });
    });

    expect(delivered).toEqual(['A#good']);
  });

  test('reports a failing stream once', async () => {
    const write = jest.spyOn(console, 'error').mockImplementation(() => {});
    let reads = 0;
    await new Promise<void>((resolve) => {
      const read = async () => {
        reads += 1;
        if (reads === 20) resolve();
        throw new Error('on purpose');
      };
      end = followStream({ stream: { read }, listener, deliver: async () => {}, pollMs: 1, retryMs: 1 });
    });

    expect(write).toHaveBeenCalledTimes(1);
    expect(write).toHaveBeenCalledWith(expect.stringContaining('The stream'), new Error('on purpose'));
  });

  test('ends after the current call', async () => {
    const order: string[] = [];
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const deliver = async () => {
      arrive();
      await held;
      order.push('delivered');
    };
    end = followStream({ stream: createStream([record('A#1')]), listener, deliver });
    await arrived;

    const ending = end().then(() => order.push('ended'));
    release();
    await ending;

    expect(order).toEqual(['delivered', 'ended']);
  });
});
