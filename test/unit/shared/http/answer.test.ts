import '../../../support/environment.ts';
import { afterEach, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Gate } from '#shared/http/request-context.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** The log lines of a new process that handles these requests. */
async function linesOf(paths: readonly string[]): Promise<Record<string, unknown>[]> {
  const info = jest.spyOn(console, 'info').mockImplementation(() => {});
  const level = process.env.LOG_LEVEL;
  process.env.LOG_LEVEL = 'info';
  await jest.isolateModulesAsync(async () => {
    const { admin } = await import('#shared/http/route.ts');
    const { call } = await import('./fake-request.ts');
    const { AppError } = await import('#shared/errors/app-error.ts');
    const route = admin.openGet({
      summary: { zh_CN: '试', en: 'Trial' },
      data: z.null(),
      handler: async () => null,
    });
    const asAdmin: Gate = async (context) => {
      context.principal = { id: '01A' };
    };
    const refuse: Gate = async () => {
      throw new AppError('auth.permission_denied');
    };
    for (const path of paths)
      await call(
        route,
        { path, query: 'mobile=13812345678' },
        path === '/denied' ? [asAdmin, refuse] : [asAdmin],
      );
  });
  process.env.LOG_LEVEL = level;
  return info.mock.calls.map(([line]) => JSON.parse(String(line)));
}

test('logs caller, route, outcome, duration and cold start of every answer', async () => {
  const [first, second] = await linesOf(['/a', '/b']);

  expect(first).toEqual({
    level: 'info',
    event: 'request',
    time: expect.any(String),
    request_id: expect.any(String),
    function: expect.any(String),
    route: 'GET /a',
    method: 'GET',
    status: 200,
    code: 'ok',
    principal: '01A',
    duration_ms: expect.any(Number),
    cold_start: true,
  });
  expect(second).toMatchObject({ route: 'GET /b', cold_start: false });
});

test('logs the caller of a request that is refused after the login', async () => {
  const [line] = await linesOf(['/denied']);

  expect(line).toMatchObject({ status: 403, code: 'auth.permission_denied', principal: '01A' });
});
