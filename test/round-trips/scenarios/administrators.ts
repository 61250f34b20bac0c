import { functionsAdministrator } from '../../support/functions.ts';
import { type Kit, newName, password } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/admin';

async function addAdmin({ admin, ask }: Kit): Promise<string> {
  const body = { account: newName(), name: 'Trial', password };
  return String((await ask(admin.post(`${base}/add`, body))).id);
}

async function addToken({ admin, ask }: Kit): Promise<string> {
  const { id } = await ask(admin.post(`${base}/token/add`, { name: 'client', scope: 'mcp:read', days: 1 }));
  return String(id);
}

/** Administrators, their tokens and their login. */
export const administratorScenarios: RequestScenarios = {
  'system-admin-login-account': ({ guest }) =>
    guest.post('/adminapi/system/login/account', functionsAdministrator),
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
  'system-admin-admin-delete': async (kit) => kit.admin.post(`${base}/delete`, { id: await addAdmin(kit) }),
  'system-admin-admin-token-add': ({ admin }) =>
    admin.post(`${base}/token/add`, { name: 'client', scope: 'mcp:read', days: 1 }),
  'system-admin-admin-token-list': ({ admin }) => admin.get(`${base}/token/list`),
  'system-admin-admin-token-revoke': async (kit) =>
    kit.admin.post(`${base}/token/revoke`, { id: await addToken(kit) }),
};
