import '../../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { prefetchTool } from '#modules/System/assistant/mcp/mcp-prefetch.ts';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { registryOf } from '../../../../support/tool-registry.ts';

let prefetches = 0;
class Tool extends McpTool {
  override readonly name: string;
  override readonly description = 'A test';
  override readonly inputSchema = z.strictObject({});
  override readonly access = 'read';

  constructor(name: string, prefetch?: () => Promise<unknown>) {
    super();
    this.name = name;
    if (prefetch) this.prefetch = prefetch;
  }

  override async handle() {
    return null;
  }
}

const registry = registryOf(
  [
    new Tool('test.plain'),
    new Tool('test.early', async () => {
      prefetches += 1;
      return 'settings';
    }),
    new Tool('test.broken', () => Promise.reject(new Error('the stores are away'))),
  ],
  [],
);
const prefetch = (message: unknown, padding = '') =>
  prefetchTool(registry, { body: JSON.stringify(message) + padding, isBase64Encoded: false });
const call = (name: unknown, method = 'tools/call') => ({ jsonrpc: '2.0', id: 1, method, params: { name } });

test('reads what the called tool needs', async () => {
  expect(await prefetch(call('test.early'))).toEqual({ name: 'test.early', result: 'settings' });
});

test('lets the tool read again after a failed read', async () => {
  expect(await prefetch(call('test.broken'))).toBeUndefined();
});

test.each([
  ['a tool without a prefetch', call('test.plain')],
  ['an unknown tool', call('test.nope')],
  ['a name that is no text', call(['test.early'])],
  ['another method', call('test.early', 'tools/list')],
  ['a call without parameters', { method: 'tools/call' }],
  ['a batch', [call('test.early')]],
  ['null', null],
])('reads nothing for %s', async (_title, message) => {
  prefetches = 0;

  expect(await prefetch(message)).toBeUndefined();
  expect(prefetches).toBe(0);
});

test('reads nothing for a body that is not JSON, base64 or longer than 16 KiB', async () => {
  prefetches = 0;
  const body = JSON.stringify(call('test.early'));

  expect(await prefetch(call('test.early'), '{')).toBeUndefined();
  expect(await prefetch(call('test.early'), ' '.repeat(16_384))).toBeUndefined();
  expect(await prefetchTool(registry, { body, isBase64Encoded: true })).toBeUndefined();
  expect(prefetches).toBe(0);
});
