import fc from 'fast-check';
import { mobiles, passwords } from './known.ts';
import { approval, newClient } from './oauth-bodies.ts';
import { chat, mcp, rpc, toolCall } from './rpc-bodies.ts';
import { save } from './settings-bodies.ts';
import { hostileText } from './texts.ts';

// Bodies whose fields depend on each other in ways that a schema does not express.

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

const token = fc.record({
  name: hostileText,
  scope: fc.constantFrom('mcp:read', 'mcp:write'),
  days: fc.nat(400),
  password,
});

const upload = fc.constant({ type: 'file', name: 'a.txt', size: 5 });

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
  '/adminapi/system/setting/config/test': save,
  '/adminapi/system/admin/token/add': token,
  '/adminapi/system/oauth/client/add': newClient,
  '/adminapi/system/oauth/approve': approval,
};
