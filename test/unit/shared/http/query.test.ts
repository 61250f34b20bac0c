import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { toQuery } from '#shared/http/input.ts';
import { admin } from '#shared/http/route.ts';
import { anyString } from '../../../support/any-string.ts';
import { call } from './fake-request.ts';

const parseQuery = (text: string) => toQuery(new URLSearchParams(text));

describe('toQuery', () => {
  test('reads each parameter', () => {
    const query = parseQuery('a=1&b=%E4%B8%AD+x&c=&d');

    expect({ ...query }).toEqual({ a: '1', b: '中 x', c: '', d: '' });
  });

  test('makes a list of a repeated parameter, in order', () => {
    const query = parseQuery('type=b&map=0&type=a&type=');

    expect({ ...query }).toEqual({ type: ['b', 'a', ''], map: '0' });
  });

  test('reads an empty query', () => {
    expect(Object.keys(parseQuery(''))).toEqual([]);
  });

  test('returns an object without a prototype', () => {
    const query = parseQuery('a=1');

    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(query.toString).toBeUndefined();
  });

  test.each(['__proto__', 'constructor', 'toString'])('accepts the name %s like any other', (name) => {
    const query = parseQuery(`${name}=1&${name}=2`);

    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(Object.getOwnPropertyDescriptor(query, name)?.value).toEqual(['1', '2']);
    expect(Object.prototype).not.toHaveProperty('1');
  });

  test('reads back any encoded parameters', () => {
    const parameters = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));

    fc.assert(
      fc.property(parameters, (pairs) => {
        const query = parseQuery(new URLSearchParams(pairs).toString());

        for (const [name] of pairs) {
          const values = pairs.flatMap(([other, value]) => (other === name ? [value] : []));
          expect([query[name]].flat()).toEqual(values);
        }
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        expect(Object.getPrototypeOf(parseQuery(text))).toBeNull();
      }),
    );
  });
});

describe('a query', () => {
  const route = admin.openGet({
    summary: { zh_CN: '测试', en: 'Test' },
    query: z.object({ a: z.optional(z.any()) }),
    data: z.int(),
    handler: async ({ query }) => [query.a ?? []].flat().length,
  });

  test.each(['a=1', 'b=1', '__proto__=1', 'a'])(
    'of 200 parameters %s is accepted, of 201 refused',
    async (each) => {
      const [fitting, larger] = [200, 201].map((count) =>
        Array.from({ length: count }, () => each).join('&'),
      );

      expect((await call(route, { query: fitting ?? '' })).status).toBe(200);
      expect(await call(route, { query: larger ?? '', headers: { 'x-language': 'en' } })).toMatchObject({
        status: 422,
        json: {
          code: 'request.invalid',
          errors: [{ path: 'query', message: 'At most 200 query parameters' }],
        },
      });
    },
  );
});
