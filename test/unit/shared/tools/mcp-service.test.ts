import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { serveMcp } from '#shared/tools/mcp-service.ts';

const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Asks as a client of the revision 2026-07-28 does. */
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
    tools: () => [{ name: 'a.b', inputSchema: { type: 'object' } }],
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
