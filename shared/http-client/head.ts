import { HttpSyntaxError } from './syntax-error.ts';

/** What of a response's head decides how its body is read. */
export interface Head {
  status: number;
  /** Length of the body in bytes, `chunked`, or undefined where the end of the connection is its end. */
  framing: number | 'chunked' | undefined;
  /** Whether the server keeps the connection for another request. */
  isKept: boolean;
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r\n]*)?(?=\r\n|$)/;
const fieldLine = /\r\n([^\s:]+):([^\r\n]*)/y;

/**
 * Reads the head of a response (RFC 9112, sections 4, 6.3 and 9.3).
 *
 * @param text without the empty line at its end
 * @throws HttpSyntaxError where it is none, or leaves the body's length open to doubt
 */
export function parseHead(text: string): Head {
  const [start = '', minor, digits] = statusLine.exec(text) ?? [];
  if (digits === undefined) throw new HttpSyntaxError('no status line of HTTP/1.1');
  const head: Head = { status: Number(digits), framing: undefined, isKept: minor === '1' };
  fieldLine.lastIndex = start.length;
  while (fieldLine.lastIndex < text.length) {
    const [, name = '', value = ''] = fieldLine.exec(text) ?? [];
    if (name === '') throw new HttpSyntaxError('no header field');
    readField(head, name.toLowerCase(), value);
  }
  if (head.status < 200 || head.status === 204 || head.status === 304) head.framing = 0;
  return head;
}

function readField(head: Head, name: string, value: string): void {
  switch (name) {
    case 'content-length':
      head.framing = toLength(value.trim(), head.framing);
      break;
    case 'transfer-encoding':
      if (value.trim().toLowerCase() !== 'chunked') throw new HttpSyntaxError(`transfer coding ${value}`);
      head.framing = 'chunked';
      break;
    case 'connection':
      if (/\bclose\b/i.test(value)) head.isKept = false;
      break;
  }
}

/** The framing that a content length gives, beside what was there before: chunks stand above it. */
function toLength(digits: string, before: Head['framing']): Head['framing'] {
  if (before === 'chunked') return before;
  const length = /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
  if (length === undefined || (before !== undefined && before !== length)) {
    throw new HttpSyntaxError('no clear content length');
  }
  return length;
}
