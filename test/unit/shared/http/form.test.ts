import '../../../support/environment.ts';
import { Busboy } from '@fastify/busboy';
import { describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as fc from 'fast-check';
import { parseForm } from '#shared/http/body/form.ts';
import { ReceivedFile } from '#shared/schema/received-file.ts';

const typeHeader = 'Content-Disposition: form-data; name="type"';
const fileHeader = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png';
const part = (header: string, body: string, boundary = 'X') =>
  `--${boundary}\r\n${header}\r\n\r\n${body}\r\n`;
const end = '--X--\r\n';
const whole = part(typeHeader, 'image') + part(fileHeader, 'abc') + end;

function parse(body: string | Buffer, contentType = 'multipart/form-data; boundary=X') {
  const event = {
    headers: { 'content-type': contentType },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
  return parseForm(event as unknown as APIGatewayProxyEventV2);
}

const malformed = { code: 'request.malformed' };
const invalid = (path: string, message: string) => ({ code: 'request.invalid', errors: [{ path, message }] });

describe('the form parser', () => {
  it('reads texts and files in any order', async () => {
    const file = new ReceivedFile('a.png', Buffer.from('abc'));
    expect({ ...(await parse(whole)) }).toEqual({ type: 'image', file });
    const turned = part(fileHeader, 'abc') + part(typeHeader, 'image') + end;
    expect({ ...(await parse(turned)) }).toEqual({ type: 'image', file });
  });

  it('reads a body that the gateway did not encode', async () => {
    const event = { headers: { 'content-type': 'multipart/form-data; boundary=X' }, body: whole };
    await expect(parseForm(event as unknown as APIGatewayProxyEventV2)).resolves.toMatchObject({
      type: 'image',
    });
  });

  it.each([
    ['quotes', 'multipart/form-data; boundary="X"', 'X'],
    ['signs', "multipart/form-data; boundary='X_=+,-./:?", "'X_=+,-./:?"],
    ['a parameter before', 'multipart/form-data; charset=utf-8; boundary=X', 'X'],
    ['quotes and a space', 'multipart/form-data; boundary="a b:c?d"', 'a b:c?d'],
    ['another case', 'Multipart/Form-Data; Boundary=X', 'X'],
  ])('accepts a boundary with %s', async (_name, header, boundary) => {
    const body = `${part(typeHeader, 'image', boundary)}--${boundary}--`;
    expect({ ...(await parse(body, header)) }).toEqual({ type: 'image' });
  });

  it.each([
    '图片.png',
    'a"b.png',
    "a'b.png",
    '../../etc/passwd.png',
    'C:\\dir\\b.png',
    'a\0b.png',
    '\u202egnp.exe',
    '',
  ])('passes on the file name %j unchanged', async (name) => {
    const header = `Content-Disposition: form-data; name="file"; filename="${name.replace(/"/g, '\\"')}"`;
    const { file } = await parse(part(header, 'abc') + end);
    expect(file).toEqual(new ReceivedFile(name, Buffer.from('abc')));
  });

  it('keeps bytes as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
        const body = Buffer.concat([
          Buffer.from(`--long-enough-to-be-unique\r\n${fileHeader}\r\n\r\n`),
          bytes,
          Buffer.from('\r\n--long-enough-to-be-unique--'),
        ]);
        const { file } = await parse(body, 'multipart/form-data; boundary=long-enough-to-be-unique');
        expect(Buffer.compare((file as ReceivedFile).bytes, bytes)).toBe(0);
      }),
    );
  });

  it('finds a boundary that crosses any border of parsed pieces', async () => {
    const opening = `--X\r\n${fileHeader}\r\n\r\n`.length;
    for (let shift = -40; shift < 10; shift += 1) {
      const bytes = Buffer.alloc(65_536 - opening + shift, '\r\n--');
      const body = part(fileHeader, bytes.toString()) + part(typeHeader, 'image') + end;

      const { file, type } = await parse(body);

      expect(type).toBe('image');
      expect(Buffer.compare((file as ReceivedFile).bytes, bytes)).toBe(0);
    }
  });

  it('refuses a body that is cut at any byte', async () => {
    const last = whole.lastIndexOf('--X--') + '--X-'.length;
    for (let length = 0; length < last; length += 1) {
      await expect(parse(whole.slice(0, length))).rejects.toMatchObject(malformed);
    }
  });

  it.each([
    ['another boundary', whole.replaceAll('--X', '--Y')],
    ['no form at all', 'hello'],
    ['10,000 parts', part(typeHeader, 'image').repeat(10_000) + end],
    ['10,000 files', part(fileHeader, 'abc').repeat(10_000) + end],
    ['a part without a name', part('Content-Disposition: form-data', 'abc') + end],
    ['a file without a name', part('Content-Disposition: form-data; filename="x"', 'abc') + end],
    [
      'a name that is too long',
      part(`Content-Disposition: form-data; name="${'n'.repeat(200)}"`, 'abc') + end,
    ],
    ['a text that is too long', part(typeHeader, 'x'.repeat(10_000)) + end],
  ])('refuses %s', async (_name, body) => {
    await expect(parse(body)).rejects.toMatchObject({ code: expect.stringMatching(/malformed|invalid/) });
  });

  it.each([
    ['parts', '--X\r\n\r\n\r\n'],
    ['fields', part('Content-Disposition: form-data; name="a"', '')],
    ['files', part(fileHeader, '')],
  ])('stops parsing at too many %s', async (_name, one) => {
    const pieces = (['write', 'end'] as const).map((name) => jest.spyOn(Busboy.prototype, name));
    const body = one.repeat(2_000_000 / one.length) + end;

    await expect(parse(body)).rejects.toMatchObject({ code: expect.stringMatching(/malformed|invalid/) });

    const lengths = pieces.flatMap(({ mock }) => mock.calls.map(([piece]) => Object(piece).length));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(200_000);
    jest.restoreAllMocks();
  });

  it('refuses a repeated field and names it', async () => {
    const twoFiles = part(fileHeader, 'a') + part(fileHeader, 'b') + end;
    await expect(parse(twoFiles)).rejects.toMatchObject(invalid('body.file', 'rule.one_file'));
    const twoTypes = part(typeHeader, 'a') + part(typeHeader, 'b') + end;
    await expect(parse(twoTypes)).rejects.toMatchObject(invalid('body.type', 'rule.repeated'));
  });

  it.each([
    undefined,
    '',
    'application/json',
    'multipart/mixed; boundary=X',
    'multipart/form-datax; boundary=X',
  ])('refuses the content type %p', async (contentType) => {
    await expect(parse(whole, contentType ?? '')).rejects.toMatchObject({
      code: 'request.unsupported_media_type',
      params: { expected: 'multipart/form-data' },
    });
  });

  it('refuses a content type without a boundary', async () => {
    await expect(parse(whole, 'multipart/form-data')).rejects.toMatchObject(malformed);
  });

  it('treats every field name alike', async () => {
    const fields = await parse(part('Content-Disposition: form-data; name="__proto__"', 'x') + end);
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(fields)).toBeNull();
  });

  it('answers any body', async () => {
    const pieces = fc.constantFrom(
      '--X',
      '--X--',
      '\r\n',
      '\n',
      typeHeader,
      fileHeader,
      'abc',
      '"',
      ';',
      '\0',
      '--',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (list) => {
        const outcome = await parse(list.join('')).then(
          () => 'read',
          (error: { code: string }) => error.code,
        );
        expect(outcome).toMatch(/^(read|request\.(malformed|invalid))$/);
      }),
      { numRuns: 500 },
    );
  });
});
