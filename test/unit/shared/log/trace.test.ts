import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import { web } from '#shared/http/route.ts';
import { log } from '#shared/log/log.ts';
import { readTraceId } from '#shared/log/trace.ts';
import { anyString } from '../../../support/any-string.ts';
import { call } from '../http/fake-request.ts';

// Tests print errors only.
process.env.LOG_LEVEL = 'info';

const id = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const valid = `00-${id}-${parent}-01`;

describe('a traceparent', () => {
  test.each([
    valid,
    `00-${id}-${parent}-00`,
    `cc-${id}-${parent}-01`,
    `cc-${id}-${parent}-01-what the-future will be like`,
  ])('has the trace ID: %s', (header) => {
    expect(readTraceId(header)).toBe(id);
  });

  test.each([
    undefined,
    '',
    id,
    `ff-${id}-${parent}-01`,
    `00-${id}-${parent}-01-more`,
    `00-${id}-${parent}-01-`,
    `cc-${id}-${parent}-01.more`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `00-${id.toUpperCase()}-${parent}-01`,
    `00-${id.slice(1)}-${parent}-01`,
    `00-${id}-${parent}-1`,
    ` ${valid}`,
    `${valid}\n`,
    `${valid},${valid}`,
    `00-${id.replace('0', 'g')}-${parent}-01`,
  ])('is ignored: %j', (header) => {
    expect(readTraceId(header)).toBeUndefined();
  });

  test('never gives anything but 32 hexadecimal digits', () => {
    const near = fc.tuple(fc.nat(valid.length), fc.string({ maxLength: 3 }), fc.nat(4));
    const changed = near.map(([at, text, cut]) => valid.slice(0, at) + text + valid.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(anyString(), changed), (header) => {
        expect(readTraceId(header) ?? id).toMatch(/^[0-9a-f]{32}$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the log of a request', () => {
  const lines: { event: string; trace_id?: string }[] = [];
  beforeEach(() => {
    lines.length = 0;
    for (const level of ['info', 'warn', 'error'] as const)
      jest.spyOn(console, level).mockImplementation((line) => void lines.push(JSON.parse(line)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const route = (handler: () => Promise<null>) =>
    web.get({ summary: { zh_CN: '测试', en: 'Test' }, data: z.null(), handler });
  const note = async () => {
    log.warn('noted');
    await new Promise((resolve) => setImmediate(resolve));
    log.warn('noted');
    return null;
  };
  const fail = async () => {
    throw new AppError('internal', { cause: new Error('no') });
  };

  test('has the trace ID in every line, also of a failure', async () => {
    await call(route(note), { headers: { traceparent: valid } });
    await call(route(fail), { headers: { traceparent: valid } });

    expect(lines.map(({ event, trace_id }) => [event, trace_id])).toEqual([
      ['noted', id],
      ['noted', id],
      ['request', id],
      ['internal', id],
      ['request', id],
    ]);
  });

  test('has none for an invalid header, or without one', async () => {
    await call(route(note), { headers: { traceparent: 'x' } });
    await call(route(note));

    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).not.toHaveProperty('trace_id');
  });

  test('has the trace ID of its own request, if several run at once', async () => {
    const ids = Array.from({ length: 5 }, (_, index) => id.replace(/.$/, String(index)));
    await Promise.all(
      ids.map((each) => call(route(note), { headers: { traceparent: `00-${each}-${parent}-01` } })),
    );

    for (const each of ids) expect(lines.filter(({ trace_id }) => trace_id === each)).toHaveLength(3);
  });
});
