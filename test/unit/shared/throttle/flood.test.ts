import '../../../support/environment.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import throttles from '#modules/System/throttles.ts';
import throttle from '#shared/http/gates/throttle.ts';
import { api } from '#shared/http/route.ts';
import { type RunningDouble, serve } from '../../../doubles/serve.ts';
import { call } from '../http/fake-request.ts';

let cache: RunningDouble;
let counted = 0;

beforeAll(async () => {
  cache = await serve(({ body }) => {
    const commands: string[][] = JSON.parse(body);
    counted += commands.filter(([name]) => name === 'incr').length;
    return { body: commands.map(() => ({ result: 1 })) };
  });
  process.env.UPSTASH_REDIS_REST_URL = cache.url;
});

afterAll(() => cache.stop());

test('a refusal by this process alone sends nothing to the cache and starts no prefetch', async () => {
  const limit = throttles.captcha.rules[0]?.limit ?? 0;
  const prefetch = jest.fn(async () => 'read');
  const handler = async () => null;
  const route = api.openGet({
    summary: { zh_CN: '测试', en: 'Test' },
    data: z.null(),
    prefetch,
    handler,
  });

  const asking = Array.from({ length: limit + 10 }, () =>
    call(route, {}, [throttle('captcha', throttles.captcha)]),
  );
  const answers = await Promise.all(asking);

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.headers).toMatchObject({
    'retry-after': expect.stringMatching(/^\d+$/),
    'ratelimit-remaining': '0',
  });
  expect(prefetch).toHaveBeenCalledTimes(limit);
  expect(counted).toBe(limit);
});
