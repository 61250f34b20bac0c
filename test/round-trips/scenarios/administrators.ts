import { administrator } from '../../support/administrator.ts';
import { createCaller, type Kit, newName, password } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/admin';

async function addAdmin({ admin, ask }: Kit): Promise<string> {
  const body = { account: newName(), name: 'Trial', password };
  return String((await ask(admin.post(`${base}/add`, body))).id);
}

const roleBase = '/adminapi/system/role';
const newRole = { name: 'Trial', grants: ['system/file:read'] };
const addRole = async ({ admin, ask }: Kit): Promise<string> =>
  String((await ask(admin.post(`${roleBase}/add`, newRole))).id);

const newToken = {
  ...{ name: 'client', scope: 'mcp:read', days: 1 },
  password: administrator.password,
};
async function addToken({ admin, ask }: Kit): Promise<string> {
  const { id } = await ask(admin.post(`${base}/token/add`, newToken));
  return String(id);
}

/** Administrators, their tokens and their login. */
export const administratorScenarios: RequestScenarios = {
  'system-admin-login-account': ({ guest }) => guest.post('/adminapi/system/login/account', administrator),
  'system-admin-login-logout': async ({ logIn }) => (await logIn()).post('/adminapi/system/login/logout'),
  'system-admin-admin-info': ({ admin }) => admin.get(`${base}/info`),
  'system-admin-admin-list': ({ admin }) => admin.get(`${base}/list`),
  'system-admin-admin-detail': async (kit) => kit.admin.get(`${base}/detail`, { id: await addAdmin(kit) }),
  'system-admin-admin-add': ({ admin }) =>
    admin.post(`${base}/add`, { account: newName(), name: 'Trial', password }),
  'system-admin-admin-edit': async (kit) =>
    kit.admin.post(`${base}/edit`, { id: await addAdmin(kit), status: 'disabled' }),
  'system-admin-admin-password': async (kit) =>
    kit.admin.post(`${base}/password`, { id: await addAdmin(kit), password: `${password}!` }),
  'system-admin-admin-roles': async (kit) =>
    kit.admin.post(`${base}/roles`, { id: await addAdmin(kit), role_ids: [await addRole(kit)] }),
  'system-admin-role-list': ({ admin }) => admin.get(`${roleBase}/list`),
  'system-admin-role-detail': async (kit) => kit.admin.get(`${roleBase}/detail`, { id: await addRole(kit) }),
  'system-admin-role-revisions': async (kit) => {
    const id = await addRole(kit);
    await kit.ask(kit.admin.post(`${roleBase}/edit`, { id, version: 1, remark: 'Other' }));
    return kit.admin.get(`${roleBase}/revisions`, { id });
  },
  'system-admin-role-add': ({ admin }) => admin.post(`${roleBase}/add`, newRole),
  'system-admin-role-edit': async (kit) =>
    kit.admin.post(`${roleBase}/edit`, { id: await addRole(kit), version: 1, grants: [] }),
  'system-admin-role-delete': async (kit) => kit.admin.post(`${roleBase}/delete`, { id: await addRole(kit) }),
  'system-admin-permission-list': ({ admin }) => admin.get('/adminapi/system/permission/list'),
  'system-admin-admin-delete': async (kit) => kit.admin.post(`${base}/delete`, { id: await addAdmin(kit) }),
  'system-admin-admin-token-add': ({ admin }) => admin.post(`${base}/token/add`, newToken),
  'system-admin-setting-dict-type-list token': async ({ admin, ask, functions }) => {
    const { token } = await ask(admin.post(`${base}/token/add`, { ...newToken, scope: 'api:read' }));
    const request = createCaller(String(token)).get('/adminapi/system/setting/dict/type/list');
    // The first use is recorded, then none for an hour.
    for (const _use of ['noted', 'cached']) await functions.call(request);
    return request;
  },
  'system-admin-admin-token-folders': ({ admin }) => admin.get(`${base}/token/folders`),
  'system-admin-admin-session-list': ({ admin }) => admin.get(`${base}/session/list`),
  'system-admin-admin-session-revoke': async (kit) => {
    const other = await kit.logIn();
    const { list } = await kit.ask(other.get(`${base}/session/list`));
    const { id } = Object(list).find(({ current }: { current: boolean }) => current);
    return kit.admin.post(`${base}/session/revoke`, { id });
  },
  'system-admin-admin-token-list': ({ admin }) => admin.get(`${base}/token/list`),
  'system-admin-admin-token-revoke': async (kit) =>
    kit.admin.post(`${base}/token/revoke`, { id: await addToken(kit) }),
};
