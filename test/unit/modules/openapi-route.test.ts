import '../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';
import route from '#modules/System/Web/openapi.json.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { createContext, createEvent } from '../shared/http/fake-request.ts';

const load = (title: string) => async () => ({
  default: { openapi: '3.1.0', info: { title }, servers: [{ url: '/', description: 'here' }] },
});
const documents = { zh_CN: jest.fn(load('接口')), en: jest.fn(load('API')) };
const handler = endpoint(route, { name: 'test', gates: [], needs: { documents } });

async function get(headers: Record<string, string> = {}) {
  const {
    statusCode,
    headers: answered,
    body = '',
  } = await handler(createEvent({ headers }), createContext());
  return { status: statusCode, headers: Object(answered), text: Buffer.from(body, 'base64').toString() };
}

describe('GET /openapi.json', () => {
  test('answers the plain document with the URL of this site', async () => {
    const { status, headers, text } = await get();

    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      openapi: '3.1.0',
      info: { title: '接口' },
      servers: [{ url: process.env.PUBLIC_URL, description: 'here' }],
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-language': 'zh-CN',
      'cache-control': 'public, no-cache',
      vary: 'Accept-Language, X-Language, Origin',
      'x-request-id': expect.stringMatching(/./),
    });
  });

  test('speaks the language of the request', async () => {
    const { headers, text } = await get({ 'accept-language': 'en' });

    expect(headers['content-language']).toBe('en');
    expect(JSON.parse(text)).toMatchObject({ info: { title: 'API' } });
  });

  test('answers 304 to a client that has it, in the same language only', async () => {
    const { headers } = await get();

    const again = await get({ 'if-none-match': headers.etag });
    const other = await get({ 'if-none-match': headers.etag, 'x-language': 'en' });

    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect(again.headers).not.toHaveProperty('content-type');
    expect(other.status).toBe(200);
  });

  test('reads each document once', async () => {
    await Promise.all([get(), get(), get({ 'x-language': 'en' })]);

    expect(documents.zh_CN).toHaveBeenCalledTimes(1);
    expect(documents.en).toHaveBeenCalledTimes(1);
  });

  test('throws if the route has no documents', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => {});
    jest.resetModules();
    const fresh = (await import('#modules/System/Web/openapi.json.ts')).default;

    const { statusCode } = await endpoint(fresh, { name: 'test', gates: [] })(createEvent(), createContext());

    error.mockRestore();
    expect(statusCode).toBe(500);
  });
});
