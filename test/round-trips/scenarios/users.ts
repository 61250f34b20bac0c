import { type Kit, newMobile, password } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const login = '/api/system/login';
const mine = '/api/user-center';
const theirs = '/adminapi/user-center/user';

async function bySms({ guest, askCode }: Kit, mobile: string) {
  const code = await askCode(mobile, 'login');
  return guest.post(`${login}/account`, { terminal: 3, scene: 'sms', mobile, code });
}

/** Users: logins, their own account, and its administration. */
export const userScenarios: RequestScenarios = {
  'system-api-login-account': ({ guest, user }) =>
    guest.post(`${login}/account`, { terminal: 3, scene: 'password', mobile: user.mobile, password }),
  'system-api-login-account sms': async (kit) => bySms(kit, (await kit.addUser()).mobile),
  'system-api-login-account first-sms': (kit) => bySms(kit, newMobile()),
  'system-api-login-sendCode': ({ guest }) =>
    guest.post(`${login}/sendCode`, { mobile: newMobile(), scene: 'login' }),
  'system-api-login-register': async ({ guest, askCode }) => {
    const mobile = newMobile();
    const code = await askCode(mobile, 'register');
    return guest.post(`${login}/register`, { terminal: 3, mobile, code, password });
  },
  'system-api-login-logout': async ({ addUser }) => (await addUser()).get(`${login}/logout`),
  'system-api-user-info': ({ user }) => user.get('/api/system/user/info'),
  'user-center-api-profile': ({ user }) => user.get(`${mine}/profile`),
  'user-center-api-profile-edit': ({ user }) => user.post(`${mine}/profile/edit`, { nickname: 'Trial' }),
  'user-center-api-session-list': ({ user }) => user.get(`${mine}/session/list`),
  'user-center-api-session-revoke': async ({ addUser, ask }) => {
    const own = await addUser();
    const { list } = await ask(own.get(`${mine}/session/list`));
    return own.post(`${mine}/session/revoke`, { id: Object(list)[0].id });
  },
  'user-center-api-password-change': async ({ addUser }) =>
    (await addUser()).post(`${mine}/password/change`, { old_password: password, password: `${password}!` }),
  'user-center-api-mobile-bind': async ({ addUser, askCode }) => {
    const [user, mobile] = [await addUser(), newMobile()];
    return user.post(`${mine}/mobile/bind`, { mobile, code: await askCode(mobile, 'bind_mobile') });
  },
  'user-center-admin-user-list': ({ admin }) => admin.get(`${theirs}/list`),
  'user-center-admin-user-list mobile': ({ admin, user }) =>
    admin.get(`${theirs}/list`, { mobile: user.mobile }),
  'user-center-admin-user-detail': ({ admin, user }) => admin.get(`${theirs}/detail`, { id: user.id }),
  'user-center-admin-user-status': async ({ admin, addUser }) =>
    admin.post(`${theirs}/status`, { id: (await addUser()).id, status: 'disabled' }),
};
