import '../../../support/environment.ts';
import { afterEach, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { createContext, createEvent } from './fake-request.ts';

const summary = { zh_CN: '测试', en: 'Test' };
const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

/** The headers of JSON, of a refusal, of a page and of a file, in a process with these variables. */
async function ask(variables: Record<string, string>) {
  Object.assign(process.env, variables);
  jest.resetModules();
  const { web } = await import('#shared/http/route.ts');
  const { endpoint } = await import('#shared/http/endpoint.ts');
  const { AppError } = await import('#shared/errors/app-error.ts');
  const { RawAnswer } = await import('#shared/http/raw-answer.ts');
  const file = (type: string, more = {}) => new RawAnswer(200, { 'content-type': type, ...more });
  const answers: Record<string, () => unknown> = {
    json: () => null,
    refusal: () => {
      throw new AppError('route.not_found');
    },
    page: () => file('text/html; charset=utf-8'),
    popup: () => file('text/html', { 'cross-origin-opener-policy': 'unsafe-none' }),
    picture: () => file('image/png'),
    redirect: () => new RawAnswer(302, { location: '/' }),
  };
  const headers: Record<string, Record<string, unknown>> = {};
  for (const [name, answer] of Object.entries(answers)) {
    const route = web.get({ summary, data: z.any(), handler: async () => answer() });
    const answered = await endpoint(route, { name: 'test', gates: [] })(createEvent(), createContext());
    headers[name] = answered.headers ?? {};
  }
  return (header: string) =>
    Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, each[header]]));
}

const everywhere = (value: unknown) => ({
  ...{ json: value, refusal: value, page: value, popup: value, picture: value, redirect: value },
});

test.each([
  ['a site with HTTPS', { PUBLIC_URL: 'https://example.org' }, 'max-age=31536000'],
  ['a deployed site', { AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001' }, 'max-age=31536000'],
  ['a site with plain HTTP on this machine', {}, undefined],
])('%s answers Strict-Transport-Security everywhere, or nowhere', async (_title, variables, expected) => {
  const read = await ask(variables);

  expect(read('strict-transport-security')).toEqual(everywhere(expected));
});

test('pages isolate their windows, if their route does not say otherwise', async () => {
  const read = await ask({});

  expect(read('cross-origin-opener-policy')).toEqual({
    ...everywhere(undefined),
    page: 'same-origin',
    popup: 'unsafe-none',
  });
});
