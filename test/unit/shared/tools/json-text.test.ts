import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '#shared/errors/app-error.ts';
import { resultLimitBytes, toJsonText } from '#shared/tools/json-text.ts';

const write = (value: unknown) => toJsonText('test.run', value);

/** Path and rule of a refusal. */
function faultOf(value: unknown): { path?: string; rule?: unknown; found?: unknown; cause?: unknown } {
  try {
    write(value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error).toMatchObject({ code: 'tool.failed', status: 502, params: { name: 'test.run' } });
    const [{ path, message: rule } = {}] = error.errors ?? [];
    return { path, rule, found: error.params.found, cause: error.cause };
  }
  throw new Error('nothing was refused');
}

const cycle: { list: unknown[] } = { list: [] };
cycle.list.push({ up: cycle });

describe('toJsonText', () => {
  test.each([
    [undefined, 'null'],
    [null, 'null'],
    [0, '0'],
    ['文', '"文"'],
    [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [Object.create(null), '{}'],
    [{ toJSON: () => [1] }, '[1]'],
  ])('writes %p', (value, text) => {
    expect(write(value)).toBe(text);
  });

  test('writes every JSON value as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(write(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('writes an object that occurs twice without a cycle', () => {
    const same = { a: 1 };

    expect(write({ x: same, y: [same, same] })).toBe('{"x":{"a":1},"y":[{"a":1},{"a":1}]}');
  });

  test.each<[string, unknown, string, string]>([
    ['a BigInt', 1n, 'result', 'bigint'],
    ['a BigInt inside', { list: [{ id: 1 }, { id: 2n }] }, 'result.list.1.id', 'bigint'],
    ['one after a deeper branch', { a: { b: { c: 1 } }, d: 1n }, 'result.d', 'bigint'],
    ['a function', { run: () => {} }, 'result.run', 'function'],
    ['a class', { Tool: Date }, 'result.Tool', 'function'],
    ['a symbol', [Symbol('x')], 'result.0', 'symbol'],
    ['NaN', { share: Number.NaN }, 'result.share', 'NaN'],
    ['an infinite number', [Number.NEGATIVE_INFINITY], 'result.0', '-Infinity'],
    ['a map', { byId: new Map() }, 'result.byId', 'Map'],
    ['a set', new Set([1]), 'result', 'Set'],
    ['a promise that was not awaited', { total: Promise.resolve(1) }, 'result.total', 'Promise'],
    ['an error', { failed: new Error('x') }, 'result.failed', 'Error'],
    ['bytes', { file: new Uint8Array(3) }, 'result.file', 'Uint8Array'],
  ])('refuses %s and names its path', (_title, value, path, found) => {
    expect(faultOf(value)).toMatchObject({ path, found, rule: 'rule.tool_no_json' });
  });

  test('refuses a cycle and names its path', () => {
    expect(faultOf(cycle)).toMatchObject({ path: 'result.list.0.up', rule: 'rule.tool_cycle' });
  });

  test.each<[string, unknown]>([
    [
      'a toJSON',
      {
        toJSON() {
          throw new Error('on purpose');
        },
      },
    ],
    [
      'a getter',
      {
        get a() {
          throw new Error('on purpose');
        },
      },
    ],
  ])('refuses %s that throws, with the cause', (_title, value) => {
    expect(faultOf(value)).toMatchObject({
      path: 'result',
      rule: 'rule.tool_unreadable',
      cause: { message: 'on purpose' },
    });
  });

  test('refuses endless nesting', () => {
    const endless = { toJSON: () => ({ next: { toJSON: endless.toJSON } }) };

    expect(faultOf(endless).rule).toMatch(/^rule\.tool_(unreadable|too_large)$/);
  });

  test('takes exactly 64 KiB of UTF-8', () => {
    const longest = '文'.repeat((resultLimitBytes - 4) / 3);

    expect(Buffer.byteLength(write(`${longest}aa`))).toBe(resultLimitBytes);
    expect(faultOf(`${longest}aaa`)).toMatchObject({
      path: 'result',
      rule: 'rule.tool_too_large',
      found: 64,
    });
  });

  test.each<[string, () => unknown]>([
    ['10 MB of text', () => 'x'.repeat(10_000_000)],
    ['a list of a million nothings', () => new Array(1_000_000)],
    ['a hundred thousand records', () => Array.from({ length: 100_000 }, (_, index) => ({ index }))],
  ])('refuses %s without writing all of it', (_title, create) => {
    expect(faultOf(create())).toMatchObject({ rule: 'rule.tool_too_large' });
  });
});
