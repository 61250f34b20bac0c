import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { jsonText } from '#shared/http/body/json.ts';
import throttle from '#shared/http/gates/throttle.ts';
import { admin } from '#shared/http/route.ts';
import throttles from '#shared/throttle/throttles.ts';
import { call } from './fake-request.ts';

const route = admin.openPost({
  summary: { zh_CN: '测试', en: 'Test' },
  parser: jsonText,
  bodyLimitBytes: 20,
  body: z.strictObject({ text: z.string() }),
  data: z.string(),
  isThrottled: ({ body = '' }) => body.includes('count me'),
  handler: async ({ body }) => body.text,
});
const post = (body: string, contentType = 'application/json', isBase64Encoded = false) =>
  call(route, { method: 'POST', body, headers: { 'content-type': contentType }, isBase64Encoded }, [
    throttle('public', throttles.public),
  ]);

describe('a body that is passed on as text', () => {
  test.each(['{', '', ' ', '{"a":"文"}'])('is %j as it was sent', async (body) => {
    expect(await post(body)).toMatchObject({ status: 200, json: { data: body } });
  });

  test('is decoded if the gateway encoded it', async () => {
    const encoded = Buffer.from('{"a":"文"}').toString('base64');

    expect((await post(encoded, 'application/json', true)).json?.data).toBe('{"a":"文"}');
  });

  test.each(['application/json; charset=utf-8', 'application/vnd.api+json', 'APPLICATION/JSON'])(
    'accepts the content type %s',
    async (contentType) => {
      expect((await post('{}', contentType)).status).toBe(200);
    },
  );

  test.each(['text/plain', 'application/jsonp', 'text/json', ''])(
    'refuses the content type %s',
    async (contentType) => {
      const answer = await post('{}', contentType);

      expect(answer).toMatchObject({ status: 415, json: { code: 'request.unsupported_media_type' } });
    },
  );

  test('is refused one byte above its limit', async () => {
    expect((await post('x'.repeat(20))).status).toBe(200);
    expect(await post('x'.repeat(21))).toMatchObject({ status: 413, json: { code: 'request.too_large' } });
    expect((await post('文'.repeat(7))).status).toBe(413);
  });
});

describe('a route that selects the throttled requests', () => {
  test('counts only those', async () => {
    const counted = await post('count me');
    const free = await post('do not');

    expect(counted.headers).toMatchObject({ 'ratelimit-limit': '1200', 'ratelimit-remaining': '1199' });
    expect(free.status).toBe(200);
    expect(free.headers).not.toHaveProperty('ratelimit-limit');
  });
});

test('a handler can read the remaining time of the function', async () => {
  const asking = admin.openPost({
    summary: { zh_CN: '测试', en: 'Test' },
    body: z.strictObject({}),
    data: z.number(),
    handler: async ({ request }) => request.remainingMs(),
  });

  expect((await call(asking, { method: 'POST', body: {} })).json?.data).toBe(10_000);
});
