import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RedisClient } from '#shared/cache/redis.ts';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { FakeRedis } from './fake-redis.ts';

const id = 'a';

/** The action of one client; several clients act at the same time. */
interface Act {
  /** `write all`: a write that concerns every entry. */
  kind: 'read' | 'write' | 'write all';
  /** The process of the service. */
  process: 0 | 1;
}
/** Actions at the same time, then the entries that the cache loses before the next round. */
interface Round {
  acts: Act[];
  evicted: string[];
}

const act = fc.record<Act>({
  kind: fc.constantFrom('read', 'read', 'write', 'write all'),
  process: fc.constantFrom(0, 1),
});
const evictable = [`entry:${id}`, `generation:${id}`, 'generation of all'];
const round = fc.record<Round>({
  acts: fc.array(act, { minLength: 1, maxLength: 5 }),
  evicted: fc.oneof({ weight: 4, arbitrary: fc.constant<string[]>([]) }, fc.subarray(evictable)),
});

/** The end of every run: every fill arrives, and is read. */
const lateReads: Act[] = ([0, 1, 0, 1] as const).map((process) => ({ kind: 'read', process }));

/** Steps of each operation, so that one may end before another continues. */
const delays = fc.infiniteStream(fc.oneof(fc.constant(0), fc.nat(24)));

/** Two processes with one cache and one database; the scheduler starts every step. */
function createService(scheduler: fc.Scheduler, delays: fc.Stream<number>) {
  const fake = new FakeRedis();
  /** Version in the database, and version of the last acknowledged write. */
  let stored = 0;
  let acknowledged = 0;
  async function pause(label: string): Promise<void> {
    const { value: steps } = delays.next();
    for (let step = 0; step < Number(steps); step += 1) await scheduler.schedule(Promise.resolve(), label);
  }
  fake.delay = () => pause('cache');

  async function load(wanted: string[]): Promise<Map<string, number>> {
    await pause('database');
    const values = new Map(wanted.map((each) => [each, stored]));
    await pause('database');
    return values;
  }
  const processes = [0, 1].map(() => {
    const client = new RedisClient(fake.transport);
    return new VersionedCache<number>({
      entryKey: (id) => `entry:${id}`,
      generationKey: (id) => `generation:${id}`,
      dependsOn: 'generation of all',
      ttlSeconds: 300,
      load,
      client: () => client,
    });
  });

  async function run({ kind, process }: Act): Promise<void> {
    await pause('begin');
    const cache = processes[process];
    if (kind !== 'read') {
      stored += 1;
      const version = stored;
      await pause('written');
      await (kind === 'write' ? cache?.invalidate([id]) : cache?.invalidateAll());
      acknowledged = Math.max(version, acknowledged);
    } else {
      const least = acknowledged;
      const found = await cache?.get([id]);
      expect(found?.get(id)).toBeGreaterThanOrEqual(least);
    }
  }
  return { fake, run };
}

test('a read that starts after a write was acknowledged never answers the older value', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      delays,
      fc.array(round, { maxLength: 4 }),
      async (scheduler, steps, rounds) => {
        const { fake, run } = createService(scheduler, steps);

        for (const { acts, evicted } of rounds) {
          await scheduler.waitFor(Promise.all(acts.map(run)));
          // Between the rounds only fills are under way.
          for (const key of evicted) fake.values.delete(key);
        }
        for (const late of lateReads) await scheduler.waitFor(run(late));
      },
    ),
    { numRuns: 800 },
  );
});
