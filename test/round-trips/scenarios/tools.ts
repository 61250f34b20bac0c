import { administrator } from '../../support/administrator.ts';
import { type Caller, createCaller } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';
import { connectClient } from './oauth.ts';

const base = '/adminapi/system/ai/mcp';
const call = (name: string) => ({ name, arguments: {} });
const rpc = (method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

/** MCP over HTTP, by a client of an earlier revision. */
function askMcp(caller: Caller, body: unknown) {
  const request = caller.post('/mcp/service', body);
  return { ...request, headers: { ...request.headers, accept: 'application/json, text/event-stream' } };
}

/** Tools by every channel. */
export const toolScenarios: RequestScenarios = {
  'system-admin-ai-mcp-tools': ({ admin }) => admin.get(`${base}/tools`),
  'system-admin-ai-mcp-call': ({ admin }) => admin.post(`${base}/call`, call('system.overview')),
  'system-admin-ai-mcp-rpc': ({ admin }) =>
    admin.post(`${base}/rpc`, rpc('tools/call', call('system.user_count'))),
  'system-admin-ai-mcp-rpc list': ({ admin }) => admin.post(`${base}/rpc`, rpc('tools/list')),
  'system-admin-ai-mcp-chat': async ({ admin, useModel }) => {
    await useModel();
    return admin.post(`${base}/chat`, { message: 'Hello' });
  },
  'system-web-mcp-service': ({ admin }) => askMcp(admin, rpc('tools/call', call('system.ai_settings'))),
  'system-web-mcp-service list': ({ admin }) => askMcp(admin, rpc('tools/list')),
  'system-web-mcp-service token': async ({ admin, ask, functions }) => {
    const created = { name: 'client', scope: 'mcp:read', days: 1, password: administrator.password };
    const { token } = await ask(admin.post('/adminapi/system/admin/token/add', created));
    const request = askMcp(createCaller(String(token)), rpc('tools/call', call('system.ai_settings')));
    // The first use is recorded, then none for an hour.
    for (const _use of ['noted', 'cached']) await functions.call(request);
    return request;
  },
  'system-web-mcp-service oauth': async (kit) => {
    const { access } = await connectClient(kit);
    const request = askMcp(createCaller(access), rpc('tools/call', call('system.ai_settings')));
    for (const _use of ['noted', 'cached']) await kit.functions.call(request);
    return request;
  },
};
