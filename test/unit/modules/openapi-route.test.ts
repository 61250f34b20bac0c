import '../../support/environment.ts';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
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
  const bytes = Buffer.from(body, 'base64');
  return { status: statusCode, headers: Object(answered), bytes, text: bytes.toString() };
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
      vary: 'Accept-Encoding, Accept-Language, X-Language, Origin',
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

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent as %s to a client that accepts it, with the same tag', async (encoding, decode) => {
    const plain = await get();

    const { headers, bytes } = await get({ 'accept-encoding': encoding });

    expect(headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
    expect(decode(bytes).toString()).toBe(plain.text);
    expect(plain.headers).not.toHaveProperty('content-encoding');
  });

  test('is throttled', () => {
    expect(route.middleware).toEqual(['throttle:openapi']);
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
