import '../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import addArticle from '#modules/Article/Admin/article/add.ts';
import readDictionary from '#modules/System/Api/config/dict.ts';
import { readMethod } from '#modules/System/assistant/mcp/rpc.ts';
import { keepOriginalName } from '#modules/System/files/records/keep-original-name.ts';
import { parseRange } from '#modules/System/files/serve-file.ts';
import throttles from '#modules/System/throttles.ts';
import { readBearer, verifyToken } from '#shared/auth/token.ts';
import { decrypt } from '#shared/crypto/encrypt.ts';
import { form } from '#shared/http/body/form.ts';
import throttle from '#shared/http/gates/throttle.ts';
import { toQuery } from '#shared/http/input.ts';
import { api } from '#shared/http/route.ts';
import { validate } from '#shared/i18n/validate.ts';
import { redactText } from '#shared/log/redact.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { text } from '#shared/schema/text.ts';
import { checkSvg } from '#shared/storage/checks/check-svg.ts';
import { call, type FakeRequest } from '../unit/shared/http/fake-request.ts';
import { countWork } from './count-work.ts';

const [few, many] = [200, 2000];

const summary = { zh_CN: '测试', en: 'Test' };
const echo = api.openPost({
  summary,
  query: z.object({ a: z.optional(z.any()) }),
  body: z.strictObject({ a: z.optional(z.array(z.int())), b: z.optional(text(0, 9)) }),
  bodyLimitBytes: 6_000_000,
  data: z.any(),
  conditional: { cacheControl: 'no-cache' },
  handler: async ({ query, body }) => ({ query, body }),
});
const upload = api.openPost({
  summary,
  parser: form,
  body: z.object({ a: z.optional(z.string()), file: z.optional(receivedFile) }),
  data: z.null(),
  handler: async () => null,
});
const send = (request: FakeRequest) => call(echo, { method: 'POST', body: {}, ...request });
const sendForm = (body: string, boundary = 'X') =>
  call(
    upload,
    {
      method: 'POST',
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    },
    [throttle('upload-part', throttles['upload-part'])],
  );
const list = (times: number, create: (place: number) => string, glue = '') =>
  Array.from({ length: times }, (_, place) => create(place)).join(glue);
const validated = (route: { body?: z.core.$ZodType }, value: unknown) =>
  validate(route.body ?? z.any(), value, 'body');
const quiet = (run: () => unknown) => {
  try {
    return run();
  } catch {
    return undefined; // A refusal is an answer too.
  }
};

/** What reads input that grows; the input is made before anything is counted. */
type Reader = [name: string, prepare: (times: number) => () => unknown];

function reader<Input>(
  name: string,
  create: (times: number) => Input,
  read: (input: Input) => unknown,
): Reader {
  return [
    name,
    (times) => {
      const input = create(times);
      return () => read(input);
    },
  ];
}

const readers: Reader[] = [
  reader(
    'repeated parameters',
    (n) => 'a&'.repeat(n),
    (query: string) => toQuery(new URLSearchParams(query)),
  ),
  reader(
    'different parameters',
    (n) => list(n, (place) => `a${place}=1`, '&'),
    (query: string) => send({ query }),
  ),
  reader(
    'a long parameter',
    (n) => `a=${'%20,'.repeat(n)}`,
    (query: string) => send({ query }),
  ),
  reader(
    'keys of dictionary types',
    (n) => `a,${'b,'.repeat(n)}`,
    (type: string) => validate(readDictionary.query ?? z.any(), { type }, 'query'),
  ),
  reader(
    'Accept-Language',
    (n) => list(n, (place) => `x${place};q=0.${place % 10}`, ','),
    (value: string) => send({ headers: { 'accept-language': value } }),
  ),
  reader(
    'X-Language',
    (n) => 'z-_'.repeat(n),
    (value: string) => send({ headers: { 'x-language': value } }),
  ),
  reader(
    'If-None-Match',
    (n) => 'W/"a" ,'.repeat(n),
    (value: string) => send({ headers: { 'if-none-match': value } }),
  ),
  reader(
    'Content-Type',
    (n) => `application/${'a+json '.repeat(n)}`,
    (value: string) => send({ headers: { 'content-type': value } }),
  ),
  reader(
    'Authorization',
    (n) => `Bearer ${' a'.repeat(n)}`,
    (value: string) => readBearer(value),
  ),
  reader(
    'an access token',
    (n) => `v1${'.a'.repeat(n)}`,
    (value: string) => quiet(() => verifyToken(value)),
  ),
  reader(
    'a ticket',
    (n) => 'Ab-_'.repeat(n),
    (value: string) => decrypt(value, 'ticket', 'upload'),
  ),
  reader(
    'Range',
    (n) => `bytes=${' '.repeat(n)}x`,
    (value: string) => parseRange(value, 9),
  ),
  reader(
    'unknown fields',
    (n) => `{${list(n, (place) => `"k${place}":1`, ',')}}`,
    (body: string) => send({ body, headers: { 'content-type': 'application/json' } }),
  ),
  reader(
    'wrong items of a list',
    (n) => JSON.stringify({ a: Array(n).fill('x') }),
    (body: string) => send({ body, headers: { 'content-type': 'application/json' } }),
  ),
  reader(
    'nested lists',
    (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
    (body: string) => send({ body, headers: { 'content-type': 'application/json' } }),
  ),
  reader(
    'a long text',
    (n) => ({ b: '文😀\t'.repeat(n) }),
    (body: object) => send({ body }),
  ),
  reader(
    'a method of JSON-RPC',
    (n) => JSON.stringify({ jsonrpc: '2.0', method: 'x', params: Array(n).fill(0) }),
    (body: string) => readMethod(body),
  ),
  reader(
    'fields of a form',
    (n) =>
      `${list(n, (place) => `--X\r\nContent-Disposition: form-data; name="k${place}"\r\n\r\n1\r\n`)}--X--\r\n`,
    (body: string) => sendForm(body),
  ),
  reader(
    'a long field of a form',
    (n) => `--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'\r\n--Y'.repeat(n)}\r\n--X--\r\n`,
    (body: string) => sendForm(body),
  ),
  reader(
    'a header of a form',
    (n) => `--X\r\nContent-Disposition: form-data; name="a"; ${'x="\\";'.repeat(n)}\r\n\r\n1\r\n--X--\r\n`,
    (body: string) => sendForm(body),
  ),
  reader(
    'headers of a form',
    (n) => `--X\r\n${'a: b\r\n'.repeat(n)}\r\n1\r\n--X--\r\n`,
    (body: string) => sendForm(body),
  ),
  reader(
    'a boundary',
    (n) => 'a'.repeat(n),
    (boundary: string) => sendForm('', boundary),
  ),
  reader(
    'a file name',
    (n) => '../a\u0301😀\\'.repeat(n),
    (value: string) => keepOriginalName(value),
  ),
  reader(
    'an article',
    (n) => ({ title: 'a', category: 'b', content: '<p>text</p><img src="storage/a">'.repeat(n) }),
    (body: object) => validated(addArticle, body),
  ),
  reader(
    'a drawing',
    (n) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg">${'<g style="fill:url(#a)"><a href="#b"/></g>'.repeat(n)}</svg>`,
      ),
    (bytes: Uint8Array) => checkSvg(bytes),
  ),
  reader(
    'styles of a drawing',
    (n) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg"><style>${'a{fill:url("#b") url( x}/**/'.repeat(n)}</style></svg>`,
      ),
    (bytes: Uint8Array) => quiet(() => checkSvg(bytes)),
  ),
  reader(
    'a line of the log',
    (n) => 'token="a\\" Bearer mcp_ 138 '.repeat(n),
    (value: string) => redactText(value),
  ),
];

describe('the work on input grows with its size and no faster', () => {
  test('which a reader that copies again and again does not', async () => {
    const copyAll = (times: number) => {
      let all: number[] = [];
      for (let n = 0; n < times; n++) all = [...all, n];
    };

    const [small, large] = [await countWork(() => copyAll(few)), await countWork(() => copyAll(many))];

    expect(large / small).toBeGreaterThan(50);
  });

  test.each(readers)('%s', async (_name, prepare) => {
    // What is loaded or kept at the first use is not counted.
    await prepare(few + 1)();

    const [before, after] = [await countWork(prepare(few)), await countWork(prepare(many))];

    expect(after).toBeLessThan(before * (many / few) * 1.5 + 1000);
  });
});
