import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { fallback } from '#shared/http/fallback.ts';
import { createContext, createEvent, type FakeRequest, toAnswer } from './fake-request.ts';

const handler = fallback({
  ...{ '/health': ['GET'], '/api/a/b': ['GET', 'POST'], '/': ['GET'], '/storage': ['POST'] },
  ...{ '/storage/{path+}': ['GET', 'HEAD'], '/a.b/{rest+}': ['POST'] },
});
const ask = async (request: FakeRequest) => toAnswer(await handler(createEvent(request), createContext()));

test.each([
  ...['/healthy', '/api/a', '/api/a/b/c', '/HEALTH', '/api/__proto__', '/constructor'],
  ...['/storagex', '/storagex/a', '/x/storage/a', '/STORAGE/a', '/aXb/c', '/a.b'],
])('answers 404 for the unknown path %s', async (path) => {
  const answer = await ask({ method: 'PUT', path });

  expect(answer.status).toBe(404);
  expect(answer.json).toMatchObject({ code: 'route.not_found', data: null });
  expect(answer.headers).not.toHaveProperty('allow');
});

test.each([
  ['/health', 'POST', 'GET'],
  ['/api/a/b', 'PUT', 'GET, POST'],
  ['/api/a/b/', 'PUT', 'GET, POST'],
  ['/', 'POST', 'GET'],
  ['/storage', 'GET', 'POST'],
  ['/storage/', 'GET', 'POST'],
  ['/storage/x', 'POST', 'GET, HEAD'],
  ['/storage/x/', 'POST', 'GET, HEAD'],
  ['/storage/uploads/image/20240229/a.png', 'PUT', 'GET, HEAD'],
  ['/storage/{path+}', 'PUT', 'GET, HEAD'],
  ['/a.b/c', 'GET', 'POST'],
] as const)('answers 405 for %s with %s, and what it takes', async (path, method, allow) => {
  const answer = await ask({ method, path });

  expect(answer.status).toBe(405);
  expect(answer.json?.code).toBe('route.method_not_allowed');
  expect(answer.headers.allow).toBe(allow);
});

test('answers 404 for a path with its own method', async () => {
  expect((await ask({ method: 'POST', path: '/storage' })).json?.code).toBe('route.not_found');
});

test('answers in the locale of the request', async () => {
  const answer = await ask({ path: '/none', headers: { 'x-language': 'en' } });

  expect(answer.headers['content-language']).toBe('en');
  expect(answer.json?.message).toBe('There is no such endpoint');
});
