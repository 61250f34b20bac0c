import '../../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { dispatch } from '#shared/http/dispatch.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { web } from '#shared/http/route.ts';
import { createContext, createEvent, toAnswer } from './fake-request.ts';

function createEntry(name: string) {
  const route = web.get({
    summary: { zh_CN: '甲', en: 'A' },
    data: z.string(),
    handler: async () => name,
  });
  return jest.fn(async () => ({ handler: endpoint(route, { name, gates: [] }) }));
}

describe('dispatch', () => {
  const entries = { 'GET /a': createEntry('a'), 'GET /b/{path+}': createEntry('b') };
  const handler = dispatch(entries);
  const ask = async (routeKey: string) =>
    toAnswer(await handler({ ...createEvent(), routeKey }, createContext()));

  test('calls the entry of the route, and loads no other', async () => {
    expect((await ask('GET /b/{path+}')).json?.data).toBe('b');
    expect(entries['GET /a']).not.toHaveBeenCalled();
    expect((await ask('GET /a')).json?.data).toBe('a');
  });

  test.each(['POST /a', '$default', 'toString', '__proto__', ''])(
    'answers no request of %p',
    async (routeKey) => {
      await expect(ask(routeKey)).rejects.toThrow(`this function does not answer "${routeKey}"`);
    },
  );
});
