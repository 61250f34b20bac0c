import { randomBytes } from 'node:crypto';
import { apiTokenEntity } from '#shared/auth/api-token.ts';
import { denyPermission } from '#shared/auth/permission.ts';
import { endSession } from '#shared/auth/session.ts';
import { verifyToken } from '#shared/auth/token.ts';
import { getRow } from '#shared/db/entity.ts';
import { deleteItem } from '#shared/db/items.ts';
import { type DemoRun, type DemoThing, daysBefore } from '#shared/module/demo.ts';
import addTokenRoute from '../Admin/admin/token/add.ts';
import loginRoute from '../Admin/login/account.ts';
import logoutRoute from '../Admin/login/logout.ts';
import saveSettingsRoute from '../Admin/setting/config/save.ts';
import { loginAdmin } from '../admins/admin-login.ts';
import { adminRecords } from '../admins/admin-record.ts';
import { addAdmin, deleteAdmin, setAdminRoles } from '../admins/admins.ts';
import { addApiToken, type NewApiToken, revokeApiToken } from '../admins/api-tokens.ts';
import { addRole, deleteRole, listRoles } from '../roles/roles.ts';
import { type DemoAdmin, type DemoRequest, runRefused, runRequest } from './request.ts';

const people = [
  { account: 'demo-editor', name: '林晓', role: 'editor', address: '203.0.113.24' },
  { account: 'demo-auditor', name: 'Alice Morgan', role: 'auditor', address: '203.0.113.57' },
] as const;
export type DemoAccount = (typeof people)[number]['account'];

const assistantRole = {
  name: 'assistant',
  remark: '使用智能助手 · may use the assistant',
  grants: ['system/ai:write'],
};

/** Days before the first run, in hours of work. */
const loginDays = [44, 41, 37, 33, 30, 27, 23, 20, 16, 13, 9, 6, 3, 1];

/** Adds two administrators with their roles, and what they did before. Their passwords are printed. */
export async function addDemoAdmins(run: DemoRun): Promise<void> {
  const role = await run.add('roles', assistantRole.name, () =>
    run.at(daysBefore(run, 46, 9), () => addRole(assistantRole)),
  );
  for (const { account, name, role: roleName } of people) {
    const password = randomBytes(12).toString('base64url');
    const added = await run.add('administrators', account, () =>
      run.at(daysBefore(run, 45, 9.5), () => addAdmin({ account, name, password })),
    );
    if (!added.isNew) continue;
    run.print(`Administrator: account ${account}, password ${password} (shown this once)`);
    const own = (await listRoles()).filter((each) => each.name === roleName).slice(0, 1);
    await setAdminRoles(String(added.id), [...own.map(({ id }) => id), String(role.id)]);
    await logInOften(run, await findDemoAdmin(run, account), password);
  }
}

/** An administrator of the demo. @throws Error if the demo of System has not run */
export async function findDemoAdmin(run: DemoRun, account: DemoAccount): Promise<DemoAdmin> {
  const thing = await run.find('System', 'administrators', account);
  const person = people.find((each) => each.account === account);
  if (!thing || !person) throw new Error(`the demo has no administrator ${account}`);
  return { id: String(thing.id), account, address: person.address };
}

/** Logs an administrator in and out, as on days of work. A wrong password and a refused request are among it. */
async function logInOften(run: DemoRun, admin: DemoAdmin, password: string): Promise<void> {
  const { account, address } = admin;
  const shift = account === 'demo-editor' ? 0 : 0.6;
  for (const [index, day] of loginDays.entries()) {
    if (account !== 'demo-editor' && index % 2 === 0) continue;
    const at = (hour: number) => ({ run, admin, moment: daysBefore(run, day, hour + shift) });
    const login = { ...at(8.6), action: 'system/login/account', route: loginRoute };
    if (index % 5 === 3) {
      const wrong = { account, password: 'wrong password' };
      await runRefused({ ...login, ...at(8.5), input: wrong }, () =>
        loginAdmin(account, wrong.password, address),
      );
    }
    const { token } = await runRequest({ ...login, input: { account, password } }, () =>
      loginAdmin(account, password, address),
    );
    if (index % 6 === 1) await askForSettings(at(11));
    await runRequest({ ...at(17.4), action: 'system/login/logout', route: logoutRoute, input: {} }, () =>
      endSession(verifyToken(token).sessionId),
    );
  }
}

const saveSettings = 'system/setting/config/save';

/** A request that the roles of the demo do not permit. */
const askForSettings = (at: Pick<DemoRequest, 'run' | 'admin' | 'moment'>): Promise<void> =>
  runRefused({ ...at, action: saveSettings, route: saveSettingsRoute }, async () => {
    throw denyPermission({ path: saveSettings, kind: 'write' });
  });

const tokens: { account: DemoAccount; daysAgo: number; token: NewApiToken }[] = [
  { account: 'demo-editor', daysAgo: 22, token: { name: '写作助手', scope: 'mcp:write', days: 180 } },
  { account: 'demo-editor', daysAgo: 5, token: { name: 'Desktop client', scope: 'mcp:read', days: 90 } },
  { account: 'demo-auditor', daysAgo: 12, token: { name: 'Monthly report', scope: 'mcp:read', days: 365 } },
];

/** Adds API tokens. Their texts are not kept, so they can only be looked at. */
export async function addDemoTokens(run: DemoRun): Promise<void> {
  for (const { account, daysAgo, token } of tokens) {
    const admin = await findDemoAdmin(run, account);
    const moment = daysBefore(run, daysAgo, 14.2);
    const request = {
      run,
      admin,
      moment,
      action: 'system/admin/token/add',
      route: addTokenRoute,
      input: token,
    };
    const { session_epoch: epoch } = await getRow(adminRecords, { id: admin.id });
    await run.add('api_tokens', token.name, () =>
      runRequest(request, () => addApiToken({ id: admin.id, epoch }, token)),
    );
  }
}

export const removeDemoRole = ({ id }: DemoThing): Promise<void> => deleteRole(String(id));

/** Removes an administrator, with the guard of the API tokens. */
export async function removeDemoAdmin({ id }: DemoThing): Promise<void> {
  const adminId = String(id);
  await deleteAdmin(adminId);
  await deleteItem(apiTokenEntity.key({ adminId, id: '#guard' }));
}

/** Revokes an API token. The item of a revoked token would stay for some days. */
export async function removeDemoToken({ id }: DemoThing): Promise<void> {
  const [adminId = '', tokenId = ''] = String(id).split(':');
  const ref = { adminId, id: tokenId };
  await revokeApiToken(ref);
  await deleteItem(apiTokenEntity.key(ref));
}
