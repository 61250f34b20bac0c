import { visitProvider } from '../../doubles/openid/visit-provider.ts';
import { type Caller, createCaller, type Kit, newName, password } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/admin';
const loginBase = '/adminapi/system/login';

async function addPerson({ admin, ask, guest }: Kit): Promise<Caller> {
  const account = newName();
  await ask(admin.post(`${base}/add`, { account, name: 'Trial', password }));
  const { token } = await ask(guest.post(`${loginBase}/account`, { account, password }));
  return createCaller(String(token));
}

/** What the console sends after a login at the provider that a request has begun. */
async function visit({ ask }: Kit, begin: ReturnType<Caller['post']>, name: string) {
  const { url, flow } = await ask(begin);
  return { flow, ...(await visitProvider(String(url), name)) };
}

/** An administrator who is bound to an account of the provider. */
async function addBound(kit: Kit) {
  await kit.useSso();
  const own = await addPerson(kit);
  const name = newName();
  const answer = await visit(kit, own.post(`${base}/sso/begin`, { password }), name);
  await kit.ask(own.post(`${base}/sso/bind`, answer));
  return { own, name };
}

async function invite({ admin, ask }: Kit): Promise<string> {
  const { url } = await ask(admin.post(`${base}/invite`, { account: newName(), name: 'Trial' }));
  return String(url).split('#')[1] ?? '';
}

/** Single sign-on of administrators, and invitations. */
export const ssoScenarios: RequestScenarios = {
  'system-admin-login-ssoStart': async ({ guest, useSso }) => {
    await useSso();
    return guest.post(`${loginBase}/ssoStart`, { purpose: 'login' });
  },
  'system-admin-login-sso': async (kit) => {
    const { name } = await addBound(kit);
    const begin = kit.guest.post(`${loginBase}/ssoStart`, { purpose: 'login' });
    return kit.guest.post(`${loginBase}/sso`, await visit(kit, begin, name));
  },
  'system-admin-login-sso of a new administrator': async (kit) => {
    const { id } = await kit.ask(
      kit.admin.post('/adminapi/system/role/add', { name: newName(), grants: [] }),
    );
    await kit.useSso(String(id));
    const begin = kit.guest.post(`${loginBase}/ssoStart`, { purpose: 'login' });
    return kit.guest.post(`${loginBase}/sso`, await visit(kit, begin, newName()));
  },
  'system-admin-login-invitation': async (kit) =>
    kit.guest.post(`${loginBase}/invitation`, { invitation: await invite(kit), password }),
  'system-admin-login-invitation by the provider': async (kit) => {
    await kit.useSso();
    const invitation = await invite(kit);
    const begin = kit.guest.post(`${loginBase}/ssoStart`, { purpose: 'invitation' });
    const sso = await visit(kit, begin, newName());
    return kit.guest.post(`${loginBase}/invitation`, { invitation, sso });
  },
  'system-admin-admin-invite': ({ admin }) =>
    admin.post(`${base}/invite`, { account: newName(), name: 'Trial' }),
  'system-admin-admin-invite once more': async ({ admin, ask }) => {
    const person = { account: newName(), name: 'Trial' };
    await ask(admin.post(`${base}/invite`, person));
    return admin.post(`${base}/invite`, person);
  },
  'system-admin-admin-sso-detail': ({ admin }) => admin.get(`${base}/sso/detail`),
  'system-admin-admin-sso-begin': async (kit) => {
    await kit.useSso();
    return (await addPerson(kit)).post(`${base}/sso/begin`, { password });
  },
  'system-admin-admin-sso-bind': async (kit) => {
    await kit.useSso();
    const own = await addPerson(kit);
    const answer = await visit(kit, own.post(`${base}/sso/begin`, { password }), newName());
    return own.post(`${base}/sso/bind`, answer);
  },
  'system-admin-admin-sso-remove': async (kit) =>
    (await addBound(kit)).own.post(`${base}/sso/remove`, { password }),
};
