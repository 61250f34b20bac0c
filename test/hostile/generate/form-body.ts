import fc from 'fast-check';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { activeSvgs, harmlessSvgs } from '../../fixtures/hostile/svgs.ts';
import type { HostileRequest } from '../request.ts';
import { hostileText } from './texts.ts';

type Body = Pick<HostileRequest, 'body' | 'headers' | 'isBase64'>;

interface Part {
  header: string;
  body: string | Buffer;
}

const boundary = 'a-boundary';

const field = (name: string, value: string): Part => ({ header: `name="${name}"`, body: value });
const file = (name: string, body: string | Buffer): Part => ({
  header: `name="file"; filename="${name}"\r\nContent-Type: application/octet-stream`,
  body,
});

function toBody(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ header, body }) => [
    `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`,
    body,
    '\r\n',
  ]);
  return Buffer.concat(
    [...pieces, end].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}

const asForm = (bytes: Buffer, type = `multipart/form-data; boundary=${boundary}`): Body => ({
  headers: { 'content-type': type },
  body: { bytes: bytes.toString('base64') },
});

const typeOf = (ext: string): string =>
  /^(jpe?g|png|gif|bmp|webp|svg)$/.test(ext)
    ? 'image'
    : /^(mp4|mov|avi|wmv|mkv|webm)$/.test(ext)
      ? 'video'
      : 'file';

const names = [
  'a',
  '中文',
  'a b',
  'x'.repeat(300),
  '..',
  '.',
  '%2e%2e',
  'a.php',
  'CON',
  '',
  '../../a',
  '\\\\a\\b',
];

/** Files of every kind under names of every kind. */
const uploadParts: fc.Arbitrary<Part[]> = fc
  .tuple(
    fc.constantFrom(...Object.entries(validFiles)),
    fc.constantFrom(...names),
    fc.constantFrom('', '~category.0~', '0', 'no'),
    fc.constantFrom('', 'shop', 'UPPER'),
  )
  .map(([[ext, bytes], name, cid, tag]) => [
    field('type', typeOf(ext)),
    ...(cid === 'no' ? [] : [field('cid', cid)]),
    field('tag', tag),
    file(`${name}.${ext}`, bytes),
  ]);

/** A part of a direct upload, as `upload/direct` asks for it. */
const directParts: fc.Arbitrary<Part[]> = fc
  .constantFrom('0', '0', '5', '99999999999')
  .map((offset) => [field('ticket', '~ticket.0~'), field('offset', offset), file('a.txt', 'hello')]);

const svgs = [...Object.values(harmlessSvgs), ...activeSvgs.map(([, text]) => text)];

/** What is done to a good form. */
const damages: ((parts: Part[], at: number, text: string) => Body)[] = [
  (parts, at) => asForm(toBody(parts).subarray(0, at % toBody(parts).length)),
  (parts) => asForm(toBody(parts, '')),
  (parts) => asForm(toBody(parts), 'multipart/form-data; boundary=another'),
  (parts) => asForm(toBody(parts), 'multipart/form-data'),
  (parts) => asForm(toBody(parts), `multipart/form-data; boundary="${'x'.repeat(3000)}"`),
  (parts) => asForm(toBody(parts), 'multipart/form-data; boundary="a-boundary'),
  (parts) => asForm(toBody(parts), 'application/json'),
  (parts) => asForm(toBody([...parts, ...parts])),
  (parts, at) =>
    asForm(toBody(Array.from({ length: [31, 2000][at % 2] ?? 0 }, () => parts[0] ?? field('a', '')))),
  (parts, _at, text) => asForm(toBody([...parts, field(text.replace(/["\r\n]/g, ''), text)])),
  (parts, at) => asForm(toBody([field('a'.repeat([101, 20_000][at % 2] ?? 0), 'x'), ...parts])),
  (parts) => asForm(toBody([...parts, field('__proto__', 'x'), field('constructor', 'y')])),
  (parts, _at, text) =>
    asForm(toBody(parts.map((part) => ({ ...part, body: part.body.length > 0 ? text : '' })))),
  (parts) => asForm(toBody(parts.map((part) => ({ ...part, body: '' })))),
  (parts) =>
    asForm(toBody(parts.map((part) => ({ ...part, header: `${part.header}; filename*=utf-8''%ff%zz` })))),
  (parts) =>
    asForm(toBody(parts.map((part) => ({ ...part, header: part.header.replace(/name="\w+"/, 'name=') })))),
  (parts) =>
    asForm(
      toBody(
        parts.map((part) => ({ ...part, header: part.header.replace(';', `;${'x: y\r\n'.repeat(50)}`) })),
      ),
    ),
  (parts) => asForm(Buffer.from(toBody(parts).toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
  (parts, at) => asForm(toBody([...parts.slice(0, -1), file('a.txt', Buffer.alloc(at % 9, at % 256))])),
  (_parts, at) => asForm(toBody([field('type', 'image'), file('a.svg', svgs[at % svgs.length] ?? '')])),
  (parts) => asForm(toBody([field('x', 'y'.repeat(9000)), ...parts])),
  // One byte more than an image may have.
  () => asForm(toBody([field('type', 'image'), file('a.png', Buffer.alloc(5_242_881))])),
  (parts) => ({ ...asForm(toBody(parts)), isBase64: false }),
  () => asForm(Buffer.alloc(0)),
  (_parts, at) => asForm(Buffer.alloc(at, '\r\n--a-boundary')),
];

/** Forms: good ones, and ones cut, repeated, misnamed and overgrown. */
export function formBody(path: string): { good: fc.Arbitrary<Body>; bad: fc.Arbitrary<Body> } {
  const parts = path.endsWith('/part') ? directParts : uploadParts;
  const bad = fc
    .tuple(parts, fc.constantFrom(...damages), fc.nat({ max: 5000 }), hostileText)
    .map(([each, damage, at, text]) => damage(each, at, text));
  return { good: parts.map((each) => asForm(toBody(each))), bad };
}
