import { connect } from 'node:net';
import type { FunctionRequest } from '../../support/function-event.ts';
import type { FunctionAnswer } from '../../support/functions.ts';

/** Longest time for an answer; no answer takes nearly as long. */
const timeoutMs = 20_000;

/** The bytes of a request in HTTP/1.1, without any check of its content. */
export function toBytes({ method, path, query, headers = {}, body }: FunctionRequest): Buffer {
  const target = query ? `${path}?${query}` : path;
  const own = {
    host: 'localhost',
    connection: 'close',
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body ?? '')]);
}

/** Whether a server waits for more bytes than the request has. */
export function isCutShort({ headers = {}, body = '' }: FunctionRequest): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length']) > Buffer.byteLength(body);
}

/**
 * Writes bytes to a port and reads what comes until the end.
 *
 * @param isEnded whether to end the connection's writing side too; the local gateway answers nothing then
 * @returns the last answer; undefined if the connection ended without one
 * @throws Error if no answer comes in time
 */
export async function sendRaw(
  port: number,
  bytes: Buffer,
  isEnded = false,
): Promise<FunctionAnswer | undefined> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('there was no answer in time')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The connection ended during the write: an answer may still have come.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve();
      else reject(error);
    });
    if (isEnded) socket.end(bytes);
    else socket.write(bytes);
  });
  return readAnswer(Buffer.concat(chunks));
}

function readAnswer(bytes: Buffer): FunctionAnswer | undefined {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1]);
  const rest = bytes.subarray(end + 4);
  // 100 Continue stands before the answer.
  if (status < 200) return readAnswer(rest);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const isChunked = headers['transfer-encoding'] === 'chunked';
  return { status, headers, body: isChunked ? joinChunks(rest) : rest };
}

function joinChunks(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!(length > 0)) break;
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(pieces);
}
