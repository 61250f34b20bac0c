import fc from 'fast-check';
import type { HostileRequest } from '../request.ts';
import { broken } from './break-value.ts';
import { toJsonText } from './raw-json.ts';
import { hostileKey } from './texts.ts';

type Body = Pick<HostileRequest, 'body' | 'headers' | 'isBase64'>;

const json = 'application/json';

const asJson = (text: string): Body => ({ headers: { 'content-type': json }, body: { text } });
const asBytes = (bytes: Buffer, type = json): Body => ({
  headers: { 'content-type': type },
  body: { bytes: bytes.toString('base64') },
});

const manyKeys = (count: number): string =>
  Array.from({ length: count }, (_, place) => `"k${place.toString(36)}":1`).join();

/** Changes of the text of a good body. */
const garblings: ((text: string, at: number, key: string) => Body)[] = [
  (text, at) => asJson(text.slice(0, at % (text.length + 1))),
  (text, at) => asJson(`${text.slice(0, at % text.length)}\u0000${text.slice(at % text.length)}`),
  (text) => asJson(`\ufeff${text}`),
  (text) => asJson(`${text}garbage`),
  (text) => asJson(`${text}${text}`),
  (text) => asJson(text.replaceAll('"', "'")),
  (text) => asJson(`/* comment */ ${text}`),
  (text) => asJson(text.replace(/\}$/, ',}')),
  (text, at) => asJson(' '.repeat([20_000, 1_100_000, 300][at % 3] ?? 0) + text),
  (text, _at, key) => asJson(text.replace(/^\{/, `{${JSON.stringify(key)}:{"polluted":true},`)),
  (text) => asJson(text.replace(/^\{("(?:[^"\\]|\\.)*":)/, '{$1null,$1')),
  (text, at) => asJson(text.replace(/^\{/, `{${manyKeys([90, 5_000, 60_000][at % 3] ?? 0)},`)),
  (text) => asJson(`[${text}]`),
  (text) => asJson(JSON.stringify(text)),
  (_text, at) =>
    asJson(['', ' ', '\n\t', 'null', '[]', '0', '""', 'true', '{', '[', '"', '-'][at % 12] ?? ''),
  (text) => asBytes(Buffer.from(text, 'utf16le')),
  (text) => asBytes(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])),
  (text) => asBytes(Buffer.from(text, 'latin1'), `${json}; charset=iso-8859-1`),
  (text, at) => asBytes(Buffer.concat([Buffer.from(text), Buffer.from([at % 256])])),
  (text) => asBytes(Buffer.from(text.replace(/[a-z]/, '\u00ff'), 'latin1')),
  (text) => asBytes(Buffer.from([0xf0, 0x28, 0x8c, 0xbc, ...Buffer.from(text)])),
  (text) => ({ ...asJson(text), isBase64: true }),
  (text) => ({ ...asJson(Buffer.from(text).toString('base64')) }),
  (text) => ({ headers: {}, body: { text } }),
  () => ({ headers: { 'content-type': json } }),
  (text) => ({ headers: { 'content-type': json, 'content-encoding': 'gzip' }, body: { text } }),
  (text, at) => ({ headers: { 'content-type': json, 'content-length': String(at) }, body: { text } }),
];

const contentTypes = [
  ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  'multipart/form-data; boundary=',
  ...['APPLICATION/JSON', `${json};charset=utf-16`, `${json}; charset="utf-8`, `${json}, ${json}`],
  ` ${json} `,
  ...['application/vnd.api+json', 'application/problem+json; x=y', 'application/jsonp', 'json', '*/*'],
  'a/b/c',
  `${json};${'x'.repeat(5000)}`,
  '__proto__',
];

/** JSON bodies: valid, with a broken value, with invalid JSON, and with a wrong content type. */
export function jsonBody(value: fc.Arbitrary<unknown>): {
  good: fc.Arbitrary<Body>;
  bad: fc.Arbitrary<Body>;
} {
  const good = value.map((each) => asJson(toJsonText(each)));
  const garbled = fc
    .tuple(value, fc.constantFrom(...garblings), fc.nat({ max: 5000 }), hostileKey)
    .map(([each, garble, at, key]) => garble(toJsonText(each), at, key));
  const mistyped = fc.tuple(good, fc.constantFrom(...contentTypes)).map(([body, type]) => ({
    ...body,
    headers: { 'content-type': type },
  }));
  const unfit = broken(value).map((each) => asJson(toJsonText(each)));
  const bad = fc.oneof(
    { weight: 6, arbitrary: unfit },
    { weight: 3, arbitrary: garbled },
    { weight: 1, arbitrary: mistyped },
  );
  return { good, bad };
}
