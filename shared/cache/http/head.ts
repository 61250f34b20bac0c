import { HttpSyntaxError } from './syntax-error.ts';

/** What of a response's head decides how its body is read. */
export interface Head {
  status: number;
  /** Length of the body in bytes, `chunked`, or undefined where the end of the connection is its end. */
  framing: number | 'chunked' | undefined;
  /** Whether the server keeps the connection for another request. */
  isKept: boolean;
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const contentLength = /^content-length:[ \t]*(.*?)[ \t]*$/gim;
const transferEncoding = /^transfer-encoding:[ \t]*(.*?)[ \t]*$/im;
const connectionClose = /^connection:.*\bclose\b/im;

/**
 * Reads the head of a response (RFC 9112, sections 4 and 6.3).
 *
 * @param text without the empty line at its end
 * @throws HttpSyntaxError where it is none, or leaves the body's length open to doubt
 */
export function parseHead(text: string): Head {
  const [, minor, digits] = statusLine.exec(text) ?? [];
  if (digits === undefined) throw new HttpSyntaxError('no status line of HTTP/1.1');
  const status = Number(digits);
  return { status, framing: readFraming(text, status), isKept: minor === '1' && !connectionClose.test(text) };
}

function readFraming(text: string, status: number): Head['framing'] {
  if (status < 200 || status === 204 || status === 304) return 0;
  const coding = transferEncoding.exec(text)?.[1];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw new HttpSyntaxError(`transfer coding ${coding}`);
    return 'chunked';
  }
  const lengths = new Set([...text.matchAll(contentLength)].map(([, value]) => value));
  const [length, ...others] = lengths;
  if (length === undefined) return undefined;
  if (others.length > 0 || !/^\d{1,15}$/.test(length)) throw new HttpSyntaxError('no clear content length');
  return Number(length);
}
