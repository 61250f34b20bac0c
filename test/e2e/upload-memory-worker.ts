import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const entries = join(import.meta.dirname, '..', '..', '.build', 'entries');

// The process of one function, as AWS Lambda runs it; reports the answer and the memory used.

/** A request to the function. */
export interface Order {
  /** Name of the function. */
  name: string;
  query: Record<string, string>;
  authorization?: string;
  contentType: string;
  /** One body for each request, created when needed. */
  bodies: Body[];
}

export type Body =
  | { json: string }
  /** A part of a file that begins like an MP4. */
  | { ticket: string; offset: number; sizeBytes: number; boundary: string; head: string };

export interface Report {
  statuses: number[];
  /** Peak memory above the level before the first request, in bytes. */
  growthBytes: number;
}

/** Memory of the process, and its peak since the last reset, in bytes. */
function readMemory(): { now: number; peak: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

function forgetPeak(): void {
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', '5');
}

/** A body in base64 as the gateway sends it, created without a copy of the bytes. */
function toBase64(body: Body): string {
  if ('json' in body) return Buffer.from(body.json).toString('base64');
  const { ticket, offset, sizeBytes, boundary, head } = body;
  const part = (header: string) => `--${boundary}\r\nContent-Disposition: form-data; name=${header}\r\n\r\n`;
  const texts = [part('"ticket"'), ticket, '\r\n', part('"offset"'), String(offset), '\r\n'];
  const file = part('"file"; filename="blob"');
  const beginning = offset === 0 ? Buffer.from(head, 'hex') : Buffer.alloc(0);
  const zeros = sizeBytes - beginning.length;
  // Pieces that are encoded separately must have a length divisible by three.
  const length = texts.join('').length + file.length + beginning.length;
  const fill = ' '.repeat((3 - ((length + 2) % 3)) % 3);
  const start = Buffer.concat([Buffer.from(`${fill}\r\n${texts.join('')}${file}`), beginning]);
  const tail = Buffer.alloc((zeros % 3) + `\r\n--${boundary}--\r\n`.length);
  tail.write(`\r\n--${boundary}--\r\n`, zeros % 3);
  return start.toString('base64') + 'A'.repeat(((zeros - (zeros % 3)) / 3) * 4) + tail.toString('base64');
}

function createEvent({ query, contentType, authorization }: Order, body: string) {
  const http = { method: 'POST', path: '/', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' };
  return {
    rawPath: '/',
    rawQueryString: new URLSearchParams(query).toString(),
    queryStringParameters: query,
    headers: { 'content-type': contentType, ...(authorization && { authorization }) },
    requestContext: { http },
    body,
    isBase64Encoded: true,
  };
}

/** Runs one request. @returns the answer, and the peak memory above the level before the first request */
async function answer(order: Order, body: Body, before: number) {
  forgetPeak();
  const { handler } = await import(join(entries, `${order.name}.mjs`));
  const context = { awsRequestId: 'test', getRemainingTimeInMillis: () => 29_000 };
  const { statusCode } = await handler(createEvent(order, toBase64(body)), context);
  return { status: Number(statusCode), growthBytes: readMemory().peak - before };
}

async function run(order: Order): Promise<Report> {
  forgetPeak();
  const { now } = readMemory();
  const report: Report = { statuses: [], growthBytes: 0 };
  for (const body of order.bodies) {
    const { status, growthBytes } = await answer(order, body, now);
    report.statuses.push(status);
    report.growthBytes = Math.max(report.growthBytes, growthBytes);
  }
  return report;
}

process.on('message', async (order: Order) => process.send?.(await run(order)));
process.on('disconnect', () => process.exit());
