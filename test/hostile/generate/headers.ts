import fc from 'fast-check';
import type { HostileRequest } from '../request.ts';

type Headers = HostileRequest['headers'];

const languages = [
  ...['en', 'zh_CN', 'zh-hans-cn', 'EN-us', 'fr', '__proto__', 'constructor', '*', '', ',,,', ';q=1'],
  'en;q=x',
  ...['en;q=0,zh;q=0', 'en;q=1.0001', `en${'-a'.repeat(3000)}`, 'en,'.repeat(2000), '\u00ff', '中文'],
];
const tags = ['~etag.0~', 'W/~etag.0~', '*', '"', 'W/"', '"a","b",', ','.repeat(5000), 'x'.repeat(9000)];
const ranges = [
  ...['bytes=0-0', 'bytes=-1', 'bytes=0-', 'bytes=5-2', 'bytes=999999999999999999999-', 'bytes=0-1,2-3'],
  'bytes=',
  ...['items=0-1', 'bytes=-0', 'bytes=a-b', 'bytes=0x0-0x1', `bytes=${'0-0,'.repeat(2000)}`, 'bytes=1e1-'],
  ...[`bytes=${' '.repeat(9500)}x`, `bytes=0${' '.repeat(100)}-`],
];
const authorizations = [
  ...['Bearer', 'Bearer ', 'bearer x', 'Basic YTpi', 'Bearer a b', 'Bearer v1.x.y.z', 'Bearer v1...'],
  'Bearer ....',
  ...['Bearer mcp_', 'Bearer mcp_x_y_z', 'Bearer __proto__', 'Token x', `Bearer ${'a'.repeat(20_000)}`],
  ...['\u00e4', '中'],
  `Bearer mcp_01JA4Q2M7Z3V8XK5T9R6W1C0BD_01JA4Q2M7Z3V8XK5T9R6W1C0BD_${'a'.repeat(64)}`,
  `Bearer ${'v1.'.repeat(5000)}`,
];

const one = (name: string, values: readonly string[]) =>
  fc.constantFrom(...values).map((value) => [name, value]);

const oddHeader: fc.Arbitrary<string[]> = fc.oneof(
  one('x-language', languages),
  one('accept-language', languages),
  one('if-none-match', tags),
  one('if-range', tags),
  one('range', ranges),
  one('authorization', authorizations),
  one('origin', ['null', 'https://evil.example.com', 'http://localhost:3000', '', 'x'.repeat(3000)]),
  one('accept', ['', '*/*', 'text/html', 'application/json;q=0', 'text/event-stream', 'x'.repeat(3000)]),
  one('mcp-protocol-version', ['2026-07-28', '2025-11-25', '2025-06-18', '1', '', '__proto__', '中']),
  one('mcp-session-id', ['a', '', '\u00ff']),
  one('mcp-method', ['tools/list', '']),
  one('last-event-id', ['1']),
  one('x-forwarded-for', ['127.0.0.1', '::1, 10.0.0.1', '%']),
  // None that is no host: the local gateway makes a URL of it, and fails.
  one('host', ['evil.example.com', 'localhost:1', '127.0.0.1']),
  one('cookie', ['a=b', '__proto__=1; '.repeat(500)]),
  one('user-agent', ['', '中文', 'x'.repeat(8000)]),
  one('x-request-id', ['mine']),
  one('content-encoding', ['gzip', 'br, gzip']),
  one('transfer-encoding', ['chunked']),
  one('expect', ['100-continue']),
  one('x-http-method-override', ['DELETE']),
  one('__proto__', ['1']),
  one('constructor', ['1']),
);

/** Unusual headers, up to three. */
export const oddHeaders: fc.Arbitrary<Headers> = fc
  .array(oddHeader, { minLength: 1, maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs));

/** Usual headers. */
export const plainHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ 'if-none-match': '~etag.0~' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Headers>({ 'x-language': 'en' }, { 'accept-language': 'zh-CN,en;q=0.5' }),
  },
);
