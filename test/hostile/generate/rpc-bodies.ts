import fc from 'fast-check';
import { hostileKey } from './texts.ts';

const toolName = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['system.overview', 'system.user_count', 'system.latest_articles', 'system.ai_settings'],
      'system.ai_usage_stats',
    ),
  },
  { weight: 1, arbitrary: fc.oneof(hostileKey, fc.constant('system__overview')) },
);
const toolArguments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>({}, undefined, { limit: 3 }, { days: 7 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileKey, fc.jsonValue(), { maxKeys: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, [], 'x', { limit: 0 }, { days: 1e21 }, { limit: '3' }),
  },
);
/** Calls of tools. */
export const toolCall = fc.record({ name: toolName, arguments: toolArguments });

const rpcId = fc.constantFrom<unknown>(1, 'a', null, 0, -1, 1.5, 2 ** 53, {}, [], true, '', 'x'.repeat(5000));
/** Chats with the assistant. */
export const chat = fc.record(
  { message: fc.constantFrom('hello', '你好', 'a\nb'), confirm: fc.constant(['~confirm.0~']) },
  { requiredKeys: ['message'] },
);

/** Requests of JSON-RPC with IDs of every type, notifications and batches. */
function rpcOf(calls: fc.Arbitrary<{ method: string; params?: unknown }>): fc.Arbitrary<unknown> {
  const single = fc
    .tuple(calls, rpcId, fc.boolean())
    .map(([call, id, isNotification]) => ({ jsonrpc: '2.0', ...(!isNotification && { id }), ...call }));
  return fc.oneof(
    { weight: 8, arbitrary: single },
    { weight: 1, arbitrary: fc.array(single, { maxLength: 3 }) },
  );
}

/** Requests to the debugging endpoint. */
export const rpc = rpcOf(
  fc.oneof(
    fc.constantFrom(
      { method: 'tools/list' },
      { method: 'tools/list', params: {} },
      { method: 'tools/list', params: [] },
    ),
    toolCall.map((params) => ({ method: 'tools/call', params })),
    chat.map((params) => ({ method: 'ai/chat', params })),
    hostileKey.map((method) => ({ method })),
  ),
);

const clientInfo = { name: 'hostile', version: '1' };
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** Requests of MCP clients, of all revisions. */
export const mcp = rpcOf(
  fc.oneof(
    fc.constantFrom<{ method: string; params?: unknown }>(
      { method: 'initialize', params: initialize },
      { method: 'initialize' },
      { method: 'tools/list' },
      { method: 'tools/list', params: { cursor: 'x' } },
      { method: 'tools/list', params: { _meta: meta } },
      { method: 'ping' },
      { method: 'server/discover', params: { _meta: meta } },
      { method: 'notifications/initialized' },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
      { method: 'prompts/list' },
    ),
    toolCall.map((params) => ({ method: 'tools/call', params })),
    toolCall.map((params) => ({ method: 'tools/call', params: { ...params, _meta: meta } })),
    hostileKey.map((method) => ({ method, params: { _meta: { progressToken: {} } } })),
  ),
);
