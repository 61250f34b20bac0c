import '../../../support/environment.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

let server: Server;
let reply: (command: string[]) => unknown;

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => {});
  server = createServer(async (request, response) => {
    const commands: string[][] = JSON.parse(await text(request));
    response.end(JSON.stringify(commands.map(reply)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  process.env.UPSTASH_REDIS_REST_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.LOG_LEVEL = 'error';
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a cache that refuses to serve is no answer: the process counts alone', async () => {
  const { checkThrottle } = await import('#shared/throttle/throttle.ts');
  reply = () => ({ error: 'ERR max requests limit exceeded' });

  const state = await checkThrottle('public', { address: '192.0.2.1' });

  expect(state).toMatchObject({ isAllowed: true, limit: 1200, remaining: 1199 });
});

test('a counter is given its end whenever it has none, after it was counted', async () => {
  const { countAlone } = await import('#shared/throttle/cache-counters.ts');
  const seen: string[][] = [];
  reply = (command) => {
    seen.push(command);
    return { result: command[0] === 'pttl' ? 1500 : 4 };
  };

  const { counts } = await countAlone({ id: 'a', limit: 5, windowSeconds: 60 });

  expect(seen.map(([name]) => name)).toEqual(['incr', 'expire', 'pttl']);
  expect(seen[1]?.slice(2)).toEqual([60, 'NX']);
  expect(counts).toEqual([{ used: 3, resetSeconds: 2 }]);
});
