import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HttpResponse, ResponseReader } from '#shared/http-client/response-reader.ts';
import { HttpSyntaxError } from '#shared/http-client/syntax-error.ts';

/** Reads what arrives in the given parts; undefined where no response came of it. */
function read(parts: readonly Buffer[]): HttpResponse | undefined {
  const reader = new ResponseReader();
  let response: HttpResponse | undefined;
  for (const part of parts) response ??= reader.push(part);
  return response;
}

const readText = (text: string) => read([Buffer.from(text, 'latin1')]);

/** Cuts bytes at the given fractions of their length. */
function cut(bytes: Buffer, fractions: readonly number[]): Buffer[] {
  const places = fractions.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index]));
}

const chunk = (bytes: Uint8Array, extension: string) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`), bytes, Buffer.from('\r\n')]);

const bytes = fc.uint8Array({ maxLength: 300 });
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
const status = fc.constantFrom(200, 201, 400, 401, 429, 500, 503);
const interim = fc.constantFrom(
  '',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n',
);
const lengthName = fc.constantFrom('content-length:', 'Content-Length: ', 'CONTENT-LENGTH:\t');
const codingName = fc.constantFrom('transfer-encoding: chunked', 'Transfer-Encoding:Chunked ');

describe('a response in parts of any size', () => {
  test('is read to its content length', () => {
    fc.assert(
      fc.property(status, interim, lengthName, bytes, cuts, (code, before, name, body, places) => {
        const head = `${before}HTTP/1.1 ${code} Whatever\r\nserver: x\r\n${name}${body.length}\r\nvia: y\r\n\r\n`;

        const response = read(cut(Buffer.concat([Buffer.from(head), body]), places));

        expect(response).toEqual({ status: code, body: Buffer.from(body), isKept: true });
      }),
    );
  });

  test('is read to its last chunk', () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 6 });
    const extension = fc.constantFrom('', ';a=b', ' ;c');
    const trailers = fc.constantFrom('', 'expires: never\r\n', 'a: b\r\nc: d\r\n');
    fc.assert(
      fc.property(codingName, chunks, extension, trailers, cuts, (coding, parts, ext, after, places) => {
        const wire = Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\n${coding}\r\ncontent-length: 3\r\n\r\n`),
          ...parts.map((part) => chunk(part, ext)),
          Buffer.from(`0\r\n${after}\r\n`),
        ]);

        const response = read(cut(wire, places));

        expect(response).toEqual({ status: 200, body: Buffer.concat(parts), isKept: true });
      }),
    );
  });

  test('is no response while a byte of it is missing', () => {
    const head = fc.constantFrom('content-length: 9\r\n\r\n', 'transfer-encoding: chunked\r\n\r\n');
    fc.assert(
      fc.property(head, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (fields, fraction) => {
        const body = fields.startsWith('content') ? '123456789' : '9\r\n123456789\r\n0\r\n\r\n';
        const wire = Buffer.from(`HTTP/1.1 200 OK\r\n${fields}${body}`);
        const reader = new ResponseReader();

        expect(reader.push(wire.subarray(0, Math.floor(fraction * wire.length)))).toBeUndefined();
        expect(() => reader.end()).toThrow(HttpSyntaxError);
      }),
    );
  });

  test('is read to the end of the connection where it says nothing else', () => {
    fc.assert(
      fc.property(bytes, cuts, (body, places) => {
        const reader = new ResponseReader();
        const wire = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nserver: x\r\n\r\n'), body]);
        for (const part of cut(wire, places)) expect(reader.push(part)).toBeUndefined();

        expect(reader.end()).toEqual({ status: 200, body: Buffer.from(body), isKept: false });
      }),
    );
  });

  test('never throws anything but a syntax error, whatever arrives', () => {
    const line = fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 204 ',
      'HTTP/1.0 200',
      'content-length: 2',
      'x',
    );
    const piece = fc.oneof(line, fc.constantFrom('\r\n', '\r\n\r\n', '0', 'ff'), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, places) => {
        try {
          read(cut(Buffer.from(pieces.join('')), places));
        } catch (error) {
          expect(error).toBeInstanceOf(HttpSyntaxError);
        }
      }),
    );
  });
});

describe('what ends a connection', () => {
  test.each([
    ['its header', 'HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close\r\ncontent-length: 2\r\n\r\nok'],
    ['version 1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['more than was asked for', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK'],
    [
      'more behind the last chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nx',
    ],
  ])('%s', (_what, text) => {
    expect(readText(text)).toEqual({ status: 200, body: Buffer.from('ok'), isKept: false });
  });

  test.each(['204 No Content', '304 Not Modified'])('not a %s, which has no body', (line) => {
    expect(readText(`HTTP/1.1 ${line}\r\ncontent-length: 7\r\n\r\n`)).toMatchObject({ isKept: true });
  });
});

test.each([
  ['another protocol', '+PONG\r\n\r\n'],
  ['another version', 'HTTP/2 200 OK\r\n\r\n'],
  ['no number for a status', 'HTTP/1.1 2OO OK\r\n\r\n'],
  ['a space before a colon', 'HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\nok'],
  ['a folded field', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n 0\r\n\r\nok'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nokk'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\nok'],
  ['another coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ['a chunk of another size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n'],
  ['a chunk size without an end', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'0'.repeat(2000)}`],
  ['a head without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}`],
])('refuses %s', (_what, text) => {
  expect(() => readText(text)).toThrow(HttpSyntaxError);
});
