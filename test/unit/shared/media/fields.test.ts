import '../../../support/environment.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { mediaHtml } from '#shared/media/media-html.ts';
import { mediaUrl } from '#shared/media/media-url.ts';

beforeAll(() => {
  Object.assign(environment(), {
    publicUrl: 'https://site.example',
    publicUrlAliases: ['https://old.example'],
  });
});

describe('mediaUrl and mediaHtml', () => {
  const schema = z.strictObject({ cover: mediaUrl(z.maxLength(12)), content: mediaHtml(z.maxLength(20)) });

  test('validate to the stored form', () => {
    const body = { cover: 'https://old.example/storage/a', content: '<img src=//site.example/storage/a>' };

    expect(z.parse(schema, body)).toEqual({ cover: 'storage/a', content: '<img src=storage/a>' });
  });

  test('check the stored form', () => {
    const long = {
      cover: 'https://old.example/storage/12345',
      content: '<img src=//site.example/storage/abc>',
    };

    const { error } = z.safeParse(schema, long);

    expect(error?.issues.map(({ path, code }) => [...path, code])).toEqual([
      ['cover', 'too_big'],
      ['content', 'too_big'],
    ]);
  });

  test.each([null, 1, ['storage/a'], undefined])('refuse %j', (value) => {
    expect(z.safeParse(mediaUrl(), value).success).toBe(false);
    expect(z.safeParse(mediaHtml(), value).success).toBe(false);
  });

  test('are strings in the API reference', () => {
    expect(z.toJSONSchema(schema, { io: 'input' }).properties).toEqual({
      cover: { type: 'string', maxLength: 12 },
      content: { type: 'string', maxLength: 20 },
    });
  });
});

describe('convertMedia', () => {
  const stored = 'storage/a';
  const sent = 'https://site.example/storage/a';
  const tree = z.strictObject({
    cover: mediaUrl(),
    get children() {
      return z.array(tree);
    },
  });

  /** Schemas with media, and their data with `*` as the media. */
  const holders: [title: string, schema: z.core.$ZodType, data: unknown][] = [
    ['the field itself', mediaUrl(), '*'],
    ['a field with a further check', mediaUrl().check(z.minLength(1)), '*'],
    ['an object', z.object({ cover: mediaUrl(), title: z.string() }), { cover: '*', title: stored }],
    ['an unknown field', z.catchall(z.object({ a: z.string() }), mediaUrl()), { a: stored, b: '*' }],
    ['nested objects', z.strictObject({ a: z.strictObject({ b: mediaUrl() }) }), { a: { b: '*' } }],
    ['an array', z.array(mediaUrl()), ['*', '*']],
    [
      'a list of objects',
      z.strictObject({ list: z.array(z.strictObject({ c: mediaUrl() })) }),
      { list: [{ c: '*' }, { c: 'x' }] },
    ],
    ['a tuple', z.tuple([z.string(), mediaUrl()], mediaUrl()), [stored, '*', '*']],
    ['a record', z.record(z.string(), mediaUrl()), { a: '*', storage: '*' }],
    [
      'an optional field',
      z.strictObject({ a: z.optional(mediaUrl()), b: z.optional(mediaUrl()) }),
      { a: '*' },
    ],
    ['a nullable field', z.array(z.nullable(mediaUrl())), ['*', null]],
    ['a default', z._default(mediaUrl(), 'x'), '*'],
    ['other wrappers', z.readonly(z.nonoptional(z.catch(z.prefault(mediaUrl(), 'x'), 'x'))), '*'],
    ['a pipe', z.pipe(mediaUrl(), z.string()), '*'],
    ['the end of a pipe', z.pipe(z.string(), mediaUrl()), '*'],
    [
      'an intersection',
      z.intersection(z.object({ a: mediaUrl() }), z.object({ b: mediaUrl() })),
      { a: '*', b: '*' },
    ],
    ['a lazy schema', z.lazy(() => mediaUrl()), '*'],
    [
      'a union',
      z.array(z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: mediaUrl() })])),
      [{ a: stored }, { b: '*' }],
    ],
    [
      'a discriminated union',
      z.array(
        z.discriminatedUnion('k', [
          z.object({ k: z.literal(1), v: z.string() }),
          z.object({ k: z.literal(2), v: mediaUrl() }),
        ]),
      ),
      [
        { k: 1, v: stored },
        { k: 2, v: '*' },
      ],
    ],
    [
      'a schema that holds itself',
      tree,
      { cover: '*', children: [{ cover: '*', children: [{ cover: '*', children: [] }] }] },
    ],
  ];

  const fill = (data: unknown, value: string): unknown =>
    JSON.parse(JSON.stringify(data).replaceAll('*', value));

  test.each(holders)('finds media in %s', (_title, schema, data) => {
    const given = fill(data, stored);

    expect(convertMedia(schema, given)).toEqual(fill(data, sent));
    expect(given).toEqual(fill(data, stored));
  });

  test('converts rich text', () => {
    const schema = z.strictObject({ content: mediaHtml(), summary: z.string() });
    const data = { content: '<p>storage/a<img src=storage/a>', summary: '<img src=storage/a>' };

    expect(convertMedia(schema, data)).toEqual({
      ...data,
      content: `<p>storage/a<img src=${sent}>`,
    });
  });

  test('does not look at data of a schema without media', () => {
    const own: z.core.$ZodType = z.strictObject({
      list: z.array(
        z.record(
          z.string(),
          z.lazy(() => own),
        ),
      ),
    });
    const data = new Proxy(
      {},
      { get: () => expect(true).toBe(false), ownKeys: () => [String(expect(true).toBe(false))] },
    );

    for (const schema of [own, z.unknown(), z.union([z.string(), own]), own]) {
      expect(convertMedia(schema, data)).toBe(data);
    }
  });

  test.each([
    ['with', () => mediaUrl()],
    ['without', () => z.string()],
  ])('reads a schema %s media once', (_title, field) => {
    let reads = 0;
    const schema = z.lazy(() => {
      reads++;
      return z.strictObject({ a: field() });
    });
    convertMedia(schema, { a: stored });
    const before = reads;

    convertMedia(schema, { a: stored });

    expect(reads).toBe(before);
  });

  test('shares what it does not change', () => {
    const schema = z.strictObject({
      a: z.array(z.strictObject({ c: mediaUrl() })),
      b: z.array(z.strictObject({ c: mediaUrl() })),
    });
    const data = { a: [{ c: stored }, { c: 'x' }], b: [{ c: 'x' }] };
    const { a, b } = Object(convertMedia(schema, data));

    expect(b).toBe(data.b);
    expect(a).toEqual([{ c: sent }, { c: 'x' }]);
    expect(a[1]).toBe(data.a[1]);
    expect(convertMedia(schema, { b: data.b, a: [] })).toEqual({ b: data.b, a: [] });
  });

  test('leaves data that does not fit unchanged', () => {
    const schema = z.strictObject({ a: z.array(mediaUrl()), b: z.union([mediaUrl(), z.null()]) });

    for (const data of [
      null,
      undefined,
      1,
      'storage/a',
      [],
      ['storage/a'],
      { a: stored, b: 7 },
      { a: { 0: stored } },
      { x: stored },
    ]) {
      expect(convertMedia(schema, data)).toBe(data);
    }
  });

  test('cleans data that fits none of several schemas', () => {
    const short = mediaHtml(z.maxLength(5));
    const schema = z.object({ a: z.union([short, z.null()]), b: z.union([mediaUrl(), z.null()]) });

    expect(convertMedia(schema, { a: '<p onclick=x>long</p>', b: 'javascript:run()' })).toEqual({
      a: '<p>long</p>',
      b: '',
    });
  });

  test('does not take an array for a record', () => {
    const data = [stored];

    expect(convertMedia(z.record(z.string(), mediaUrl()), data)).toBe(data);
  });

  test('keeps a field with the name of a prototype', () => {
    const data: unknown = JSON.parse('{"__proto__":"storage/a","constructor":"storage/a"}');

    const result = convertMedia(z.record(z.string(), mediaUrl()), data);

    expect(JSON.stringify(result)).toBe(`{"__proto__":"${sent}","constructor":"${sent}"}`);
    expect(convertMedia(z.object({ a: mediaUrl() }), data)).toBe(data);
  });
});
