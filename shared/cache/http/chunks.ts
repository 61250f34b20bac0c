import { HttpSyntaxError } from './syntax-error.ts';

const lineBreak = '\r\n';
const lineLimitBytes = 1024;

/** A body that was sent in chunks. */
export interface ChunkedBody {
  body: Buffer;
  /** The first byte behind it. */
  end: number;
}

/**
 * Puts a body that was sent in chunks together (RFC 9112, section 7.1).
 *
 * @param start its first byte
 * @returns undefined while it is not whole
 * @throws HttpSyntaxError
 */
export function readChunks(bytes: Buffer, start: number): ChunkedBody | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const line = readLine(bytes, at);
    if (line === undefined) return undefined;
    const size = parseSize(line.text);
    if (size === 0) {
      const end = skipTrailers(bytes, line.end);
      return end === undefined ? undefined : { body: Buffer.concat(chunks), end };
    }
    const end = line.end + size;
    if (bytes.length < end + lineBreak.length) return undefined;
    if (readLine(bytes, end)?.text !== '') throw new HttpSyntaxError('a chunk of another length');
    chunks.push(bytes.subarray(line.end, end));
    at = end + lineBreak.length;
  }
}

function parseSize(line: string): number {
  const [, digits] = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
  if (digits === undefined) throw new HttpSyntaxError('no size of a chunk');
  return Number.parseInt(digits, 16);
}

/** The byte behind the trailers and the empty line that ends them. */
function skipTrailers(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; ) {
    const line = readLine(bytes, at);
    if (line === undefined || line.text === '') return line?.end;
    at = line.end;
  }
}

function readLine(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const at = bytes.indexOf(lineBreak, start, 'latin1');
  const isTooLong = (at < 0 ? bytes.length : at) - start > lineLimitBytes;
  if (isTooLong) throw new HttpSyntaxError('a line without an end');
  return at < 0 ? undefined : { text: bytes.toString('latin1', start, at), end: at + lineBreak.length };
}
