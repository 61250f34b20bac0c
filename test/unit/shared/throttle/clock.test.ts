import '../../../support/environment.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { countAlone, countTogether } from '#shared/throttle/cache-counters.ts';
import { projectRoot } from '../../../support/local-server.ts';

/** The cache runs in another process, so that the tests do not move its clock. */
const source = `
  const { startUpstashEndpoint } = await import('./cli/local/upstash/start-upstash-endpoint.ts');
  process.stdout.write((await startUpstashEndpoint({ token: process.argv[1] })).url);
`;

let cache: ChildProcess;

beforeAll(async () => {
  const token = randomUUID();
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, token], { cwd: projectRoot });
  cache = child;
  const [url] = await once(child.stdout, 'data');
  Object.assign(process.env, { UPSTASH_REDIS_REST_URL: String(url), UPSTASH_REDIS_REST_TOKEN: token });
}, 30_000);

afterAll(() => {
  cache?.kill();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const twoHours = 7_200_000;
/** Runs `work` on an instance whose clock is ahead of the cache's, or behind it. */
async function withClock<Result>(shiftMs: number, work: () => Promise<Result>): Promise<Result> {
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
  const result = await work();
  clock.mockRestore();
  return result;
}

test.each([
  ['ahead', twoHours],
  ['behind', -twoHours],
])('an instance whose clock is two hours %s counts in the same windows', async (_title, shiftMs) => {
  const counters = ['a', 'b'].map((name) => ({ id: `${name} ${randomUUID()}`, limit: 2, windowSeconds: 60 }));
  const [alone] = counters.map(({ id }) => ({ id: `${id} alone`, limit: 2, windowSeconds: 60 }));
  if (!alone) throw new Error('there are no counters');
  const count = async () => {
    const tallies = [await countTogether(counters), await countAlone(alone)];
    return tallies.flatMap(({ counts }) => counts);
  };
  await count();
  await count();

  const shifted = await withClock(shiftMs, count);
  const after = await count();

  expect(shifted.map(({ used }) => used)).toEqual([2, 2, 2]);
  expect(after.map(({ used }) => used)).toEqual([2, 2, 3]);
  for (const { resetSeconds } of [...shifted, ...after]) {
    expect(resetSeconds).toBeGreaterThan(0);
    expect(resetSeconds).toBeLessThanOrEqual(60);
  }
});
