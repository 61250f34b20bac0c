import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { urlencoded } from '#shared/http/body/urlencoded.ts';
import { web } from '#shared/http/route.ts';
import { call } from './fake-request.ts';

const contentType = 'application/x-www-form-urlencoded';
const route = web.post({
  summary: { zh_CN: '测试', en: 'Test' },
  parser: urlencoded,
  body: z.object({ name: z.optional(z.string()), other: z.optional(z.string()) }),
  data: z.unknown(),
  handler: async ({ body }) => body,
});
const post = (body: string, type = contentType, isBase64Encoded = false) =>
  call(route, { method: 'POST', body, headers: { 'content-type': type }, isBase64Encoded });

describe('a form of texts', () => {
  test.each([
    ['name=a%20b+c&other=%E6%96%87', { name: 'a b c', other: '文' }],
    ['name=&other=x', { other: 'x' }],
    ['name=x&more=y', { name: 'x' }],
    ['__proto__=x&name=y', { name: 'y' }],
    ['', {}],
  ])('%j is read as %j', async (body, data) => {
    expect((await post(body)).json?.data).toEqual(data);
  });

  test('is decoded if the gateway encoded it', async () => {
    const encoded = Buffer.from('name=x').toString('base64');

    expect((await post(encoded, contentType, true)).json?.data).toEqual({ name: 'x' });
  });

  test('is refused with a repeated field, but not with a repeated empty one', async () => {
    expect(await post('name=a&name=b')).toMatchObject({ status: 422, json: { code: 'request.invalid' } });
    expect((await post('name=&name=b&name=')).json?.data).toEqual({ name: 'b' });
  });

  test.each(['application/json', 'multipart/form-data', `${contentType}x`, ''])(
    'is refused with the content type %j',
    async (type) => {
      const answer = await post('name=x', type);

      expect(answer).toMatchObject({ status: 415, json: { code: 'request.unsupported_media_type' } });
    },
  );

  test('may name its charset', async () => {
    expect((await post('name=x', `${contentType}; charset=UTF-8`)).status).toBe(200);
  });
});

describe('a route that renders its failures', () => {
  const own = web.get({
    summary: { zh_CN: '测试', en: 'Test' },
    query: z.object({ count: z.string() }),
    data: z.null(),
    renderFailure: ({ status, code, message, errors = [] }) => ({
      status: status + 1,
      headers: { 'x-own': 'yes' },
      body: { code, message, at: errors.map(({ path }) => path) },
    }),
    handler: async () => null,
  });

  test('answers them without the envelope, in English', async () => {
    const { status, headers, json } = await call(own, { headers: { 'accept-language': 'zh-CN' } });

    expect([status, headers['x-own']]).toEqual([423, 'yes']);
    expect(json).toEqual({
      code: 'request.invalid',
      message: expect.stringMatching(/^[ -~]+$/),
      at: ['query.count'],
    });
  });

  test('answers successes as others do', async () => {
    expect(await call(own, { query: 'count=1' })).toMatchObject({ status: 200, json: { code: 'ok' } });
  });
});
