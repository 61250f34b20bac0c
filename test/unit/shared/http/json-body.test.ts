import '../../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import addArticle from '#modules/Article/Admin/article/add.ts';
import importRoute from '#modules/System/Admin/setting/dict/data/import.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { form } from '#shared/http/body/form.ts';
import { bodyLimitOf } from '#shared/http/gates.ts';
import type { Gate } from '#shared/http/request-context.ts';
import { admin, api, type PrefetchContext, type Route, web } from '#shared/http/route.ts';
import { call } from './fake-request.ts';

const summary = { zh_CN: '测试', en: 'Test' };
const kib = 1024;
/** Returns the body as JSON text. */
const echoes = {
  summary,
  body: z.unknown(),
  data: z.string(),
  handler: async ({ body }: { body: unknown }) => JSON.stringify(body),
};
const open = admin.openPost(echoes);
const post = (route: Route, body: string, gates: Gate[] = [], headers: Record<string, string> = {}) =>
  call(route, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }, gates);
/** A JSON text of this size, filled with characters of three bytes. */
function jsonOf(sizeBytes: number): string {
  const rest = sizeBytes - 2;
  return `"${'文'.repeat(Math.floor(rest / 3))}${'x'.repeat(rest % 3)}"`;
}

/** Whether an object or list holds a key that changes a prototype, at any depth. */
function reachesForPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, each]) =>
      key === '__proto__' ||
      (key === 'constructor' &&
        typeof each === 'object' &&
        each !== null &&
        Object.hasOwn(each, 'prototype')) ||
      reachesForPrototype(each),
  );
}

describe('a JSON body', () => {
  test('is the result of JSON.parse, and 400 if it would change a prototype', async () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        // As text, because an object literal would set its prototype.
        .map((entries) => Object.defineProperties({}, toProperties(entries))),
    }));

    await fc.assert(
      fc.asyncProperty(value, async (sent) => {
        const text = JSON.stringify(sent);
        const answer = await post(open, text);

        if (reachesForPrototype(sent)) {
          expect(answer).toMatchObject({ status: 400, json: { code: 'request.malformed' } });
        } else {
          expect(answer).toMatchObject({ status: 200, json: { data: JSON.stringify(JSON.parse(text)) } });
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['an escaped __proto__', '{"a":{"\\u005f\\u005fproto\\u005f\\u005f":{"admin":true}}}'],
    ['a prototype of a constructor', '[{"constructor":{"prototype":{"admin":true}}}]'],
    ['a __proto__ of null', '{"__proto__":null}'],
    ['30,000 nested lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['a byte order mark before its value', '\uFEFF{}'],
    ['a byte order mark alone', '\uFEFF'],
  ])('is 400 if it holds %s', async (_name, text) => {
    expect(await post(open, text)).toMatchObject({ status: 400, json: { code: 'request.malformed' } });
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  test('leaves nothing of an unreadable body in the log', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});

    await post(open, '{"password":"hunter2"');

    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  test.each(['', ' ', '\r\n\t'])('is an empty object if it is %j', async (text) => {
    expect((await post(open, text, [], { 'content-type': 'text/plain' })).json?.data).toBe('{}');
  });

  test.each(['application/json ; charset=utf-8', 'application/merge-patch+json', 'APPLICATION/JSON'])(
    'may be sent as %s',
    async (type) => {
      expect((await post(open, '{}', [], { 'content-type': type })).status).toBe(200);
    },
  );
});

const toProperties = (entries: readonly (readonly [string, unknown])[]): PropertyDescriptorMap =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(entries.map(([key, value]) => [key, { value, enumerable: true, configurable: true }])),
  );

/** Each kind of route with its limit in bytes and in its message. */
const limited: [string, Route, number, string][] = [
  ['an open route', open, 64 * kib, '64 KiB'],
  ['a route that requires an administrator', admin.post(echoes), 1024 * kib, '1 MiB'],
  ['a route that requires a user', api.post(echoes), 1024 * kib, '1 MiB'],
  ['the MCP route', web.post({ ...echoes, middleware: ['mcp.auth'] }), 1024 * kib, '1 MiB'],
  [
    'a route with optional login',
    api.openPost({ ...echoes, middleware: ['api.try-auth'] }),
    64 * kib,
    '64 KiB',
  ],
  ['a route throttled by account', throttled('admin-login'), 16 * kib, '16 KiB'],
  ['a route throttled by mobile', throttled('sms'), 16 * kib, '16 KiB'],
  ['a route throttled by address', throttled('public'), 64 * kib, '64 KiB'],
  ['a route with a limit of its own', admin.post({ ...echoes, bodyLimitBytes: 1000 }), 1000, '1000 B'],
];

function throttled(name: 'admin-login' | 'sms' | 'public'): Route {
  return admin.openPost({ ...echoes, middleware: [`throttle:${name}`] });
}

describe('the limit of a body', () => {
  test.each(limited)('of %s passes, and one byte more does not', async (_name, route, sizeBytes, limit) => {
    const fitting = await post(route, jsonOf(sizeBytes));
    const larger = await post(route, jsonOf(sizeBytes + 1));

    expect(Buffer.byteLength(jsonOf(sizeBytes))).toBe(sizeBytes);
    expect(fitting.status).toBe(200);
    expect(larger).toMatchObject({
      status: 413,
      json: { code: 'request.too_large', message: `请求内容超过 ${limit}` },
    });
  });

  test('is named in the language of the request', async () => {
    const answer = await post(open, jsonOf(70_000), [], { 'x-language': 'en' });

    expect(answer.json?.message).toBe('The request body is larger than 64 KiB');
  });

  test('counts decoded bytes of a body that the gateway has encoded', async () => {
    const send = (sizeBytes: number) =>
      call(open, {
        method: 'POST',
        body: Buffer.from(jsonOf(sizeBytes)).toString('base64'),
        isBase64Encoded: true,
        headers: { 'content-type': 'application/json' },
      });

    expect((await send(64 * kib)).status).toBe(200);
    expect((await send(64 * kib + 1)).status).toBe(413);
  });

  test('is checked before the body is parsed', async () => {
    expect((await post(open, `{"__proto__":${jsonOf(65 * kib)}`)).status).toBe(413);
  });

  test('does not apply to a form, whose files have their own', () => {
    expect(bodyLimitOf(api.openPost({ ...echoes, parser: form }), [])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the largest inputs fit into 1 MiB', () => {
  test('an import of 5,000 items with names of 40 Chinese characters', () => {
    const items = Array.from({ length: 5000 }, (_, n) => ({ name: '名'.repeat(40), value: `value-${n}` }));
    const body = { type_key: 'kind', mode: 'replace', items };

    expect(importRoute.body && z.safeParse(importRoute.body, body).success).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(bodyLimitOf(importRoute, []));
  });

  test('an article of 300 KiB, also if the client escapes every character', () => {
    const content = '文'.repeat(100 * kib);
    const sizeBytes = content.length * '\\u6587'.length;

    expect(Buffer.byteLength(content)).toBe(300 * kib);
    expect(sizeBytes + 10 * kib).toBeLessThan(bodyLimitOf(addArticle, []));
  });
});

describe('a refusal of a gate', () => {
  const refuse: Gate = async () => {
    throw new AppError('auth.token_missing');
  };

  test.each([
    ['too large', jsonOf(2048 * kib)],
    ['unreadable', '{'],
    ['unfit', '7'],
    ['of another type', 'x', 'text/plain'],
  ])(
    'precedes that of a body that is %s, read before or after',
    async (_name, body, type = 'application/json') => {
      for (const route of [admin.post(echoes), throttled('admin-login')]) {
        const answer = await post(route, body, [refuse], { 'content-type': type });
        expect(answer.json?.code).toBe('auth.token_missing');
      }
    },
  );

  test('keeps the body from being parsed, unless a throttle counts by it', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    const countParses = async (route: Route) => {
      parse.mockClear();
      await post(route, '{"some":"body"}', [refuse]);
      return parse.mock.calls.filter(([text]) => text === '{"some":"body"}').length;
    };

    expect(await countParses(admin.post(echoes))).toBe(0);
    expect(await countParses(open)).toBe(0);
    expect(await countParses(throttled('sms'))).toBe(1);
    parse.mockRestore();
  });
});

describe('a body that a throttle counts by', () => {
  type Prefetch = (context: PrefetchContext) => Promise<void>;
  const create = (prefetch: Prefetch) =>
    admin.openPost({ ...echoes, middleware: ['throttle:sms'], prefetch });

  test('is there for the prefetch, and the same for the handler', async () => {
    const prefetch = jest.fn<Prefetch>(async () => {});

    const answer = await post(create(prefetch), '{"mobile":"13800000000","n":1}');

    expect(prefetch).toHaveBeenCalledWith(expect.objectContaining({ sent: { mobile: '13800000000', n: 1 } }));
    expect(answer.json?.data).toBe('{"mobile":"13800000000","n":1}');
  });

  test.each([
    ['unreadable', '{"mobile":'],
    ['a number', '7'],
    ['null', 'null'],
    ['too large', `{"mobile":${jsonOf(16 * kib)}}`],
  ])('has no fields if it is %s', async (_name, body) => {
    const prefetch = jest.fn<Prefetch>(async () => {});

    await post(create(prefetch), body);

    expect(prefetch).toHaveBeenCalledWith(expect.objectContaining({ sent: {} }));
  });
});
