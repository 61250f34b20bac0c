import { describe, expect, test } from '@jest/globals';
import { openStream, type StartingPosition, type StreamRecord } from '#cli/local/stream/table-stream.ts';
import { createFakeEngine, record } from './fake-engine.ts';

type Engine = ReturnType<typeof createFakeEngine>;

const open = ({ request }: Engine, from: StartingPosition, limit = 10) =>
  openStream(request, 'arn', from, limit);

const namesOf = (records: StreamRecord[]) => records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);

/** Reads once, and returns the passed batches. */
async function readOnce(stream: Awaited<ReturnType<typeof open>>) {
  const batches: unknown[][] = [];
  await stream.read(async (records) => {
    batches.push(namesOf(records));
  });
  return batches;
}

describe('openStream', () => {
  test('reads new records', async () => {
    const engine = createFakeEngine();
    engine.add('s1', record('old'));
    const stream = await open(engine, 'LATEST');
    engine.add('s1', record('new'));

    expect(await readOnce(stream)).toEqual([['new']]);
    expect(await readOnce(stream)).toEqual([]);
  });

  test('reads all kept records in batches with TRIM_HORIZON', async () => {
    const engine = createFakeEngine();
    engine.add('s1', record('a'), record('b'), record('c'));
    const stream = await open(engine, 'TRIM_HORIZON', 2);

    expect([await readOnce(stream), await readOnce(stream)]).toEqual([[['a', 'b']], [['c']]]);
  });

  test('reads every shard, over several pages', async () => {
    const engine = createFakeEngine();
    for (const shard of ['s1', 's2', 's3']) engine.add(shard, record(shard));
    const stream = await open(engine, 'TRIM_HORIZON');

    expect(await readOnce(stream)).toEqual([['s1'], ['s2'], ['s3']]);
  });

  test('continues with the start of the shard that replaces a closed one', async () => {
    const engine = createFakeEngine();
    engine.add('s1');
    const stream = await open(engine, 'LATEST');
    engine.add('s1', record('a'));
    engine.end('s1');
    engine.add('s2', record('b'));

    const batches = [await readOnce(stream), await readOnce(stream), await readOnce(stream)];

    expect(batches).toEqual([[['a']], [['b']], []]);
  });

  test('looks for shards only after one has closed', async () => {
    const engine = createFakeEngine();
    engine.add('s1');
    const stream = await open(engine, 'LATEST');
    engine.end('s1');
    engine.add('s2');
    await readOnce(stream);
    const before = engine.calls.length;

    await readOnce(stream);
    await readOnce(stream);

    expect(engine.calls.slice(before)).not.toContain('DescribeStream');
  });

  test('passes the same records again after a failure', async () => {
    const engine = createFakeEngine();
    engine.add('s1', record('a'));
    const stream = await open(engine, 'TRIM_HORIZON');

    await expect(stream.read(() => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose');

    expect(await readOnce(stream)).toEqual([['a']]);
  });

  test.each(['ExpiredIteratorException', 'TrimmedDataAccessException'])(
    'restarts with the oldest record after %s',
    async (name) => {
      const engine = createFakeEngine();
      engine.add('s1', record('a'));
      const stream = await open(engine, 'LATEST');
      engine.failOnce(name);

      expect(await readOnce(stream)).toEqual([]);
      expect(await readOnce(stream)).toEqual([['a']]);
    },
  );

  test('keeps its position after other failures of the engine', async () => {
    const engine = createFakeEngine();
    engine.add('s1', record('a'));
    const stream = await open(engine, 'LATEST');
    engine.failOnce('InternalServerError');

    await expect(readOnce(stream)).rejects.toThrow('on purpose');

    expect(await readOnce(stream)).toEqual([]);
  });
});
