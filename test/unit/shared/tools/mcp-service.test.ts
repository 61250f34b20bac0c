import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '#shared/errors/app-error.ts';
import { correctMcpError, type McpSurface, serveMcp } from '#shared/tools/mcp-service.ts';

const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a request like a client of the revision 2026-07-28. */
function ask(method: string, params: object = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...('name' in params && { 'mcp-name': String(params.name) }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  return serveMcp(headers, body, {
    server: { name: 'test', title: 'Test', version: '1' },
    tools: async () => [{ name: 'a.b', inputSchema: { type: 'object' } }],
    call: async () => ({ content: [{ type: 'text', text: 'done' }] }),
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a request of MCP 2026-07-28', () => {
  test.each([
    ['tools/list', {}, { tools: [{ name: 'a.b' }] }],
    ['tools/call', { name: 'a.b', arguments: {} }, { content: [{ type: 'text', text: 'done' }] }],
  ])('%s is answered in JSON, and nothing is printed', async (method, params, result) => {
    const levels = ['debug', 'log', 'info', 'warn', 'error'] as const;
    const printed = levels.map((level) => jest.spyOn(console, level).mockImplementation(() => {}));

    const answer = await ask(method, params);

    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.body)).toMatchObject({ id: 1, result });
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });
});

describe('the traceparent of a call', () => {
  const sent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const zeros = '0'.repeat(32);

  /** What the surface gets of a value, in both eras of the protocol. */
  async function pass(traceparent: unknown) {
    const seen: unknown[] = [];
    const surface: McpSurface = {
      server: { name: 'test', title: 'Test', version: '1' },
      tools: async () => [],
      call: async (_name, _args, more) => {
        seen.push(more.traceparent);
        return { content: [] };
      },
    };
    for (const own of [{}, meta]) {
      const headers = {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': own === meta ? version : '2025-11-25',
        'mcp-method': 'tools/call',
        'mcp-name': 'a',
      };
      const params = { name: 'a', arguments: {}, _meta: { ...own, traceparent } };
      await serveMcp(
        headers,
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        surface,
      );
    }
    return seen;
  }

  test('is passed on', async () => {
    expect(await pass(sent)).toEqual([sent, sent]);
  });

  test.each([
    ...[undefined, null, 5, {}, '', 'x', `${sent}\n`, ` ${sent}`, `${sent}-00`, sent.toUpperCase()],
    ...[
      `ff${sent.slice(2)}`,
      `00-${zeros}-00f067aa0ba902b7-01`,
      sent.replace('00f067aa0ba902b7', '0'.repeat(16)),
    ],
  ])('is left out if it is %j', async (value) => {
    expect(await pass(value)).toEqual([undefined, undefined]);
  });
});

const errorBody = (error: object): string => JSON.stringify({ jsonrpc: '2.0', id: 'a', error });
const issues = JSON.stringify([{ expected: 'object', code: 'invalid_type', path: ['params'], message: 'x' }]);

test.each([{}, meta])('a call refuses the whole request with an AppError, with %j', async (own) => {
  const refusal = new AppError('auth.scope_insufficient');
  const surface: McpSurface = {
    server: { name: 'test', title: 'Test', version: '1' },
    tools: async () => [],
    call: async () => {
      throw refusal;
    },
  };
  const headers = {
    accept: 'application/json',
    'mcp-protocol-version': own === meta ? version : '2025-11-25',
  };
  const params = { name: 'a', arguments: {}, _meta: own };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

  const asked = serveMcp({ ...headers, 'mcp-method': 'tools/call', 'mcp-name': 'a' }, body, surface);

  await expect(asked).rejects.toBe(refusal);
});

describe('correctMcpError', () => {
  test.each([
    ['issues of a schema into "Invalid params"', issues, { code: -32602, message: 'Invalid params' }],
    [
      'any other message into "Internal error"',
      'x is no function',
      { code: -32603, message: 'Internal error' },
    ],
    ['another list into "Internal error"', '[1]', { code: -32603, message: 'Internal error' }],
  ])('turns %s', (_title, message, error) => {
    expect(JSON.parse(correctMcpError(errorBody({ code: -32603, message })))).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error,
    });
  });

  test.each([
    ['', 'nothing'],
    [errorBody({ code: -32601, message: 'Method not found' }), 'another error'],
    [JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: '-32603' } }), 'a result'],
  ])('keeps %s: %s', (text) => {
    expect(correctMcpError(text)).toBe(text);
  });
});
