import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { endpoint } from '#shared/http/endpoint.ts';
import type { OptionalCaller } from '#shared/http/gates/api-try-auth.ts';
import { admin, api, web } from '#shared/http/route.ts';
import { call, createContext, createEvent, toAnswer } from './fake-request.ts';

const summary = { zh_CN: '测试', en: 'Test' };
const data = z.unknown();

describe('the context of a handler', () => {
  test('has the administrator of a route that requires one, and by type nothing else', async () => {
    const route = admin.get({
      summary,
      data,
      handler: async (context) => {
        // @ts-expect-error the route does not say needs: ['tools']
        const { adminId, tools } = context;
        return { adminId, tools };
      },
    });

    const { json } = await call(route, {}, [async () => ({ adminId: 'a1' })]);

    expect(json?.data).toEqual({ adminId: 'a1' });
  });

  test('has no caller on an open route, by type', async () => {
    const route = api.openGet({
      summary,
      data,
      middleware: ['throttle:public'],
      // @ts-expect-error no login is among its gates
      handler: async ({ userId }) => userId ?? null,
    });

    expect((await call(route)).json?.data).toBeNull();
  });

  test('has a user or a guest with optional login', async () => {
    const route = api.openGet({
      summary,
      data,
      middleware: ['throttle:public', 'api.try-auth'],
      handler: async ({ userId, user, sessionId, sessionEpoch }) => {
        const caller = { userId, user, sessionId, sessionEpoch };
        return caller satisfies Record<keyof OptionalCaller, unknown>;
      },
    });
    const guest: OptionalCaller = { userId: null, user: null, sessionId: null, sessionEpoch: null };

    expect((await call(route, {}, [async () => guest])).json?.data).toEqual(guest);
  });

  test('has what the route needs, from its entry', async () => {
    const route = web.get({
      summary,
      data,
      needs: ['modules'],
      handler: async ({ modules }) => modules.map(({ name }) => name),
    });
    const modules = [{ name: 'Shop', title: summary, version: '1.0.0' }];

    const handler = endpoint(route, { name: 'test', gates: [], needs: { modules } });
    const { json } = toAnswer(await handler(createEvent(), createContext()));

    expect(json?.data).toEqual(['Shop']);
  });
});
