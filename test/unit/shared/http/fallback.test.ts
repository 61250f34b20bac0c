import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { fallback } from '#shared/http/fallback.ts';
import { createContext, createEvent, type FakeRequest, toAnswer } from './fake-request.ts';

const handler = fallback({ '/health': ['GET'], '/api/a/b': ['GET', 'POST'], '/': ['GET'] });
const ask = async (request: FakeRequest) => toAnswer(await handler(createEvent(request), createContext()));

test.each(['/healthy', '/api/a', '/api/a/b/c', '/HEALTH', '/api/__proto__', '/constructor'])(
  'answers 404 for the unknown path %s',
  async (path) => {
    const answer = await ask({ method: 'POST', path });

    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'route.not_found', data: null });
    expect(answer.headers).not.toHaveProperty('allow');
  },
);

test.each([
  ['/health', 'POST', 'GET'],
  ['/api/a/b', 'PUT', 'GET, POST'],
  ['/api/a/b/', 'PUT', 'GET, POST'],
  ['/', 'POST', 'GET'],
] as const)('answers 405 for %s with %s, and what it takes', async (path, method, allow) => {
  const answer = await ask({ method, path });

  expect(answer.status).toBe(405);
  expect(answer.json?.code).toBe('route.method_not_allowed');
  expect(answer.headers.allow).toBe(allow);
});

test('answers in the locale of the request', async () => {
  const answer = await ask({ path: '/none', headers: { 'x-language': 'en' } });

  expect(answer.headers['content-language']).toBe('en');
  expect(answer.json?.message).toBe('There is no such endpoint');
});
