const host = 'Host: localhost\r\nConnection: close\r\n';
const post = 'POST /adminapi/system/login/account HTTP/1.1\r\n';
const json = 'Content-Type: application/json\r\n';

/** Requests that are not HTTP, or contradict themselves. */
export const malformed: Record<string, string> = {
  'no HTTP at all': '\u0000\u0001\u0002\r\n\r\n',
  'a TLS handshake': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc',
  'another version of HTTP': `GET /health HTTP/9.9\r\n${host}\r\n`,
  'no version': 'GET /health\r\n\r\n',
  'an unknown method': `FOO /health HTTP/1.1\r\n${host}\r\n`,
  'no host': 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n',
  'two hosts': `GET /health HTTP/1.1\r\nHost: a\r\n${host}\r\n`,
  'an absolute target': `GET http://evil.example.com/adminapi/system/admin/info HTTP/1.1\r\n${host}\r\n`,
  'a target that is a star': `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  'a target with NUL': `GET /health\u0000 HTTP/1.1\r\n${host}\r\n`,
  'a target with a space': `GET /health /x HTTP/1.1\r\n${host}\r\n`,
  'a target of 100 kB': `GET /storage/${'a'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`,
  'a header of 100 kB': `GET /health HTTP/1.1\r\n${host}X-Language: ${'a'.repeat(100_000)}\r\n\r\n`,
  'ten thousand headers': `GET /health HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(10_000)}\r\n`,
  'a header without a colon': `GET /health HTTP/1.1\r\n${host}nonsense\r\n\r\n`,
  'a header with a space in its name': `GET /health HTTP/1.1\r\n${host}Author ization: x\r\n\r\n`,
  'a folded header': `GET /adminapi/system/admin/info HTTP/1.1\r\n${host}Authorization: Bearer\r\n x\r\n\r\n`,
  'lines that end in LF': 'GET /health HTTP/1.1\nHost: localhost\nConnection: close\n\n',
  'two lengths': `${post}${host}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
  'a negative length': `${post}${host}${json}Content-Length: -1\r\n\r\n{}`,
  'a length that is no number': `${post}${host}${json}Content-Length: 0x2\r\n\r\n{}`,
  'a length above the body': `${post}${host}${json}Content-Length: 2000\r\n\r\n{}`,
  'a length and chunks': `${post}${host}${json}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks of no size': `${post}${host}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a chunk that does not end': `${post}${host}${json}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n{}`,
  'an unknown encoding': `${post}${host}${json}Transfer-Encoding: xchunked\r\n\r\n{}`,
  'a body on GET': `GET /health HTTP/1.1\r\n${host}${json}Content-Length: 5\r\n\r\n{"a":`,
  'a request in the body of another': `${post}Host: localhost\r\n${json}Content-Length: 2\r\n\r\n{}GET /adminapi/system/admin/info HTTP/1.1\r\n${host}\r\n`,
};
