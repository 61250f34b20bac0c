import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { admin, api, web } from '#shared/http/route.ts';
import { text } from '#shared/schema/text.ts';
import { call, createContext, createEvent, toAnswer } from './fake-request.ts';

const summary = { zh_CN: '测试', en: 'Test' };

/** Returns the body. */
const echo = admin.openPost({
  summary,
  query: z.object({ page: z.optional(z.string().check(z.regex(/^\d+$/))) }),
  body: z.strictObject({ name: z.optional(text(1, 10)), count: z.optional(z.int()) }),
  data: z.any(),
  handler: async ({ query, body }) => ({ query, body }),
});

function failing(thrown: unknown) {
  return web.get({
    summary,
    data: z.null(),
    handler: async () => {
      throw thrown;
    },
  });
}

/** Posts to `echo`, in English; a text is sent as JSON. */
const post = (body: string | object, headers: Record<string, string> = {}) =>
  call(echo, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-language': 'en', ...headers },
  });

let logged: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  logged = jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  logged.mockRestore();
});

describe('the envelope', () => {
  test('carries the data of the handler, the request ID and a message', async () => {
    const route = web.get({ summary, data: z.any(), handler: async () => ({ list: [1, '二'] }) });
    const handler = endpoint(route, { name: 'test', gates: [] });

    const answer = toAnswer(await handler(createEvent(), createContext('id-1')));

    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      code: 'ok',
      message: '成功',
      data: { list: [1, '二'] },
      request_id: 'id-1',
    });
    expect(answer.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-language': 'zh-CN',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'id-1',
    });
  });

  test.each([null, false, 0, ''])('carries %j as it is', async (data) => {
    const route = web.get({ summary, data: z.any(), handler: async () => data });

    const answer = await call(route);

    expect(answer.json?.data).toBe(data);
  });

  test('passes request ID, address and locale to the handler', async () => {
    const handler = jest.fn(async (_context: unknown) => null);
    const route = api.openGet({ summary, data: z.null(), handler });

    await call(route, { path: '/api/x', headers: { 'x-language': 'en', 'x-forwarded-for': '203.0.113.9' } });

    expect(handler.mock.calls[0]?.[0]).toMatchObject({
      locale: 'en',
      request: { address: '192.0.2.1', event: { rawPath: '/api/x' } },
    });
  });

  test.each([
    ['en', 'en', 'There is no such endpoint'],
    ['zh-hans-cn', 'zh-CN', '接口不存在'],
  ])('has the message of the locale for %s', async (language, tag, message) => {
    const answer = await call(failing(new AppError('route.not_found')), {
      headers: { 'accept-language': language },
    });

    expect(answer.status).toBe(404);
    expect(answer.headers['content-language']).toBe(tag);
    expect(answer.json).toMatchObject({ code: 'route.not_found', message, data: null });
    expect(answer.json).not.toHaveProperty('errors');
  });

  test('carries headers, data, parameters and issues of a refusal', async () => {
    const refusal = new AppError('dict.type_full', {
      params: { limit: 7 },
      headers: { 'retry-after': '60' },
      data: { status: 'down' },
      errors: [{ path: 'article', message: '3' }],
    });

    const answer = await call(failing(refusal), { headers: { 'x-language': 'en' } });

    expect(answer.headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' });
    expect(answer.json).toMatchObject({
      message: 'A dictionary type holds at most 7 items',
      data: { status: 'down' },
      errors: [{ path: 'article', message: '3' }],
    });
  });

  test('carries the request ID in refusals too', async () => {
    const handler = endpoint(failing(new AppError('dict.type_exists')), { name: 'test', gates: [] });

    const answer = toAnswer(await handler(createEvent(), createContext('id-2')));

    expect(answer.headers['x-request-id']).toBe('id-2');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.json?.request_id).toBe('id-2');
  });
});

test('keeps requests apart that share a Lambda context, and leaves it as it was', async () => {
  const context = createContext('shared');
  const before = { ...context };
  const handler = endpoint(echo, { name: 'test', gates: [] });
  const ask = async (count: number) =>
    toAnswer(await handler(createEvent({ method: 'POST', body: { count } }), context)).json?.data;

  const answers = await Promise.all([1, 2, 3].map(ask));

  expect(answers).toMatchObject([1, 2, 3].map((count) => ({ body: { count } })));
  expect(context).toEqual(before);
});

describe('an unexpected error', () => {
  test.each([new TypeError('secret detail'), 'secret detail'])(
    'is 500 without its cause in the answer: %p',
    async (thrown) => {
      const answer = await call(failing(thrown), { headers: { 'x-language': 'en' } });

      expect(answer.status).toBe(500);
      expect(answer.json).toMatchObject({ code: 'internal', message: 'Internal error', data: null });
      expect(JSON.stringify(answer)).not.toContain('secret');
    },
  );

  test('is logged with its cause and the request ID', async () => {
    const error = new Error('secret detail', { cause: new Error('deeper') });

    const answer = await call(failing(error));

    expect(logged).toHaveBeenCalledTimes(1);
    const line = JSON.parse(String(logged.mock.calls[0]?.[0]));
    expect(line).toMatchObject({
      level: 'error',
      event: 'internal',
      request_id: answer.json?.request_id,
      function: 'test',
      error: 'Error: secret detail',
      cause: { error: 'Error: deeper' },
    });
  });

  test('is logged as an error, unlike a refusal', async () => {
    await call(failing(new AppError('dict.type_exists')));

    expect(logged).not.toHaveBeenCalled();
  });

  test('has its cause logged also if it has its own code', async () => {
    const answer = await call(failing(new AppError('database.unavailable', { cause: new Error('reset') })));

    expect(answer.status).toBe(503);
    expect(JSON.stringify(answer)).not.toContain('reset');
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({
      event: 'database.unavailable',
      error: 'Error: reset',
    });
  });
});

describe('the body', () => {
  test('is parsed and validated', async () => {
    const answer = await call(echo, { method: 'POST', query: 'page=2&other=x', body: { name: ' n ' } });

    expect(answer.json?.data).toEqual({ query: { page: '2' }, body: { name: 'n' } });
  });

  test.each(['{', 'name=1', '{"name":"a"}x', "{'name':1}"])('is 400 when it reads %s', async (body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      json: { code: 'request.malformed', message: 'The request body cannot be read' },
    });
  });

  test.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('is 415 with the content type %j', async (type) => {
    const answer = await call(echo, {
      method: 'POST',
      body: '{}',
      headers: { ...(type !== undefined && { 'content-type': type }), 'x-language': 'en' },
    });

    expect(answer.status).toBe(415);
    expect(answer.json).toMatchObject({
      code: 'request.unsupported_media_type',
      message: 'Unsupported content type: use application/json',
    });
  });

  test('is 422 with an unknown field', async () => {
    expect(await post({ name: 'a', nmae: 'b' })).toMatchObject({
      status: 422,
      json: { code: 'request.invalid', errors: [{ path: 'body.nmae', message: 'Unknown field' }] },
    });
  });

  test.each(['[]', '"text"', 'null', '7'])('is 422 when it is %s', async (body) => {
    expect((await post(body)).json).toMatchObject({ code: 'request.invalid', errors: [{ path: 'body' }] });
  });

  test('is reported with the query, all issues at once', async () => {
    const answer = await call(echo, {
      method: 'POST',
      query: 'page=x&page=y',
      body: { name: '', count: 1.5, extra: 1 },
    });

    expect(answer.status).toBe(422);
    expect(answer.json?.errors?.map(({ path }) => path)).toEqual([
      'query.page',
      'body.name',
      'body.count',
      'body.extra',
    ]);
  });

  test('is ignored by a route without a body', async () => {
    const route = web.get({ summary, data: z.any(), handler: async ({ body }) => ({ body }) });

    const answer = await call(route, { body: '{', headers: { 'content-type': 'application/json' } });

    expect(answer.json?.data).toEqual({});
  });
});

describe('a conditional route', () => {
  let list = ['a'];
  const route = api.openGet({
    summary,
    data: z.array(z.string()),
    conditional: { cacheControl: 'public, no-cache' },
    handler: async () => list,
  });
  const ask = (headers: Record<string, string> = {}) => call(route, { headers });
  const readTag = async (headers: Record<string, string> = {}) => String((await ask(headers)).headers.etag);

  beforeEach(() => {
    list = ['a'];
  });

  test('answers a weak tag, its own cache control and Vary', async () => {
    const answer = await ask();

    expect(answer.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'cache-control': 'public, no-cache',
      vary: 'Accept-Language, X-Language, Origin',
    });
  });

  test('answers 304 without a body to its own tag', async () => {
    const etag = await readTag();

    const answer = await ask({ 'if-none-match': etag });

    expect(answer.status).toBe(304);
    expect(answer.json).toBeUndefined();
    expect(answer.headers).toMatchObject({
      etag,
      'cache-control': 'public, no-cache',
      vary: 'Accept-Language, X-Language, Origin',
      'x-request-id': expect.any(String),
    });
    expect(answer.headers).not.toHaveProperty('content-type');
  });

  test.each([
    ['the strong form of its tag', (tag: string) => tag.slice(2)],
    ['a list that holds its tag', (tag: string) => `"x", ${tag} ,W/"y"`],
    ['a star', () => '*'],
  ])('answers 304 to %s', async (_title, toHeader) => {
    const answer = await ask({ 'if-none-match': toHeader(await readTag()) });

    expect(answer.status).toBe(304);
  });

  test.each([
    ['no tag', () => ''],
    ['another tag', () => 'W/"other"'],
    ['a part of its tag', (tag: string) => `${tag.slice(0, -2)}"`],
    ['its tag without quotes', (tag: string) => tag.slice(3, -1)],
  ])('answers 200 to %s', async (_title, toHeader) => {
    const answer = await ask({ 'if-none-match': toHeader(await readTag()) });

    expect(answer.status).toBe(200);
  });

  test('has another tag for other data and for another locale', async () => {
    const chinese = await readTag();
    const english = await readTag({ 'x-language': 'en' });
    list = ['b'];

    const later = await readTag();

    expect(new Set([chinese, english, later]).size).toBe(3);
  });

  test('has the same tag for the same data in another request', async () => {
    expect(await readTag()).toBe(await readTag());
  });
});

test('a route without conditions answers no tag', async () => {
  const route = web.get({ summary, data: z.null(), handler: async () => null });

  const answer = await call(route, { headers: { 'if-none-match': '*' } });

  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty('etag');
});

test('refuses to load without an environment, naming the variable', async () => {
  const { APP_KEY } = process.env;
  delete process.env.APP_KEY;
  jest.resetModules();
  const fresh = await import('#shared/http/endpoint.ts');

  const load = () => fresh.endpoint(echo, { name: 'test', gates: [] });

  try {
    expect(load).toThrow('APP_KEY is not set: see .env.example');
  } finally {
    process.env.APP_KEY = APP_KEY;
  }
});
