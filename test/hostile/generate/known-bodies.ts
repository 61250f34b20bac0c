import fc from 'fast-check';
import { mobiles, passwords } from './known.ts';
import { hostileKey, hostileText } from './texts.ts';

// Bodies whose fields have to agree with each other in ways that no schema says.

const mobile = fc.constantFrom(...mobiles);
const password = fc.constantFrom(...passwords);
/** The last code that was sent for a scene, and where to. */
const proofOf = (scene: string) => ({ mobile: `~mobile_${scene}.0~`, code: `~code_${scene}.0~` });

const userLogin = fc.oneof(
  fc.record({ terminal: fc.constantFrom(1, 2, 3, '3'), scene: fc.constant('password'), mobile, password }),
  fc.constant({ terminal: 3, scene: 'sms', ...proofOf('login') }),
  fc.record({ terminal: fc.constantFrom(1, 2), scene: fc.constant('silent'), loginCode: hostileText }),
);

const register = password.map((each) => ({ terminal: 3, password: each, ...proofOf('register') }));

const bind = fc.constant(proofOf('bind_mobile'));

const sendCode = fc.record({
  mobile: fc.stringMatching(/^1[3-9]\d{9}$/),
  scene: fc.constantFrom('login', 'register', 'bind_mobile'),
});

const upload = fc.constant({ type: 'file', name: 'a.txt', size: 5 });

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
const toolCall = fc.record({ name: toolName, arguments: toolArguments });

const rpcId = fc.constantFrom<unknown>(1, 'a', null, 0, -1, 1.5, 2 ** 53, {}, [], true, '', 'x'.repeat(5000));
const chat = fc.record(
  { message: fc.constantFrom('hello', '你好', 'a\nb'), confirm: fc.constant(['~confirm.0~']) },
  { requiredKeys: ['message'] },
);

function rpcOf(calls: fc.Arbitrary<{ method: string; params?: unknown }>): fc.Arbitrary<unknown> {
  const single = fc
    .tuple(calls, rpcId, fc.boolean())
    .map(([call, id, isNotification]) => ({ jsonrpc: '2.0', ...(!isNotification && { id }), ...call }));
  return fc.oneof(
    { weight: 8, arbitrary: single },
    { weight: 1, arbitrary: fc.array(single, { maxLength: 3 }) },
  );
}

const rpc = rpcOf(
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
const mcp = rpcOf(
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

// Nothing listens there, and no name has to be looked up.
const urls = [
  '',
  'http://127.0.0.1:9',
  'http://localhost:9/v1',
  'http://[::1]:9',
  'ftp://127.0.0.1',
  'http://',
  'x',
  'a:b',
];
const url = fc.constantFrom(...urls);
const line = fc.oneof(fc.constantFrom('', '******', 'abc', ' a '), hostileText);

/** Settings by group; hosts of providers are never left to their defaults together with keys. */
const settings: Record<string, fc.Arbitrary<object>> = {
  basics: fc.record(
    {
      sys_status: fc.constantFrom<unknown>('1', 'on', 'OFF', '', 1, true, 'off', '0', 0, false, 'false'),
      site_name: line,
      closed_message: line,
    },
    { requiredKeys: [] },
  ),
  storage: fc.record({
    default: fc.constantFrom('', 'local', 'LOCAL', 'qiniu', 'aliyun', 'qcloud', '__proto__'),
  }),
  upload: fc.dictionary(
    fc.constantFrom('image_max_size', 'video_max_size', 'file_max_size'),
    fc.constantFrom<unknown>('', null, 1, 0, -1, 4, 1e9, 1e21, '5', 1.5),
  ),
  login: fc.record({ captcha_enabled: fc.boolean() }),
  sms: fc.record({ driver: fc.constantFrom('', 'local', 'none'), sign_name: line }, { requiredKeys: [] }),
  wechat: fc.record({ base_url: url, mini_app_id: line, mini_secret: line }, { requiredKeys: ['base_url'] }),
  ai: fc.record(
    {
      enabled: fc.boolean(),
      base_url: url,
      api_key: line,
      model: line,
      system_prompt: line,
      max_steps: fc.constantFrom<unknown>(1, 10, 0, 11, 1.5, '3'),
    },
    { requiredKeys: [] },
  ),
};
const save = fc.oneof(
  ...Object.entries(settings).map(([group, values]) => values.map((each) => ({ group, values: each }))),
  fc.record({ group: hostileKey, values: fc.dictionary(hostileKey, fc.jsonValue(), { maxKeys: 3 }) }),
);

/** Bodies by path. */
export const knownBodies: Record<string, fc.Arbitrary<unknown>> = {
  '/adminapi/system/login/account': fc.record({ account: fc.constant('root'), password }),
  '/api/system/login/account': userLogin,
  '/api/system/login/register': register,
  '/api/system/login/sendCode': sendCode,
  '/api/user-center/mobile/bind': bind,
  '/api/system/upload/direct': upload,
  '/adminapi/system/upload/direct': upload,
  '/adminapi/system/ai/mcp/call': toolCall,
  '/adminapi/system/ai/mcp/chat': chat,
  '/adminapi/system/ai/mcp/rpc': rpc,
  '/mcp/service': mcp,
  '/adminapi/system/setting/config/save': save,
};
