import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addAdmin } from '#modules/System/admins/admins.ts';
import { verifyToken } from '#shared/auth/token.ts';
import type { Item } from '#shared/db/items.ts';
import { keys } from '../../support/keys.ts';
import type { Answer } from '../world/api.ts';
import { newMobile, newWord } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

const password = 'correct horse battery';
const adminLogin = '/adminapi/system/login/account';
const userLogin = '/api/system/login/account';

/** The session of a token; undefined without a token or session. */
async function findSession({ table }: World, token?: string): Promise<Item | undefined> {
  return token === undefined ? undefined : table.get(keys.session(verifyToken(token).sessionId));
}

interface Login {
  id: string;
  token?: string;
  /** Time of the last login, as answered. */
  at?: string;
}

function take<State extends { token?: string }>(state: State, answer: Answer): Answer {
  if (answer.code === 'ok') state.token = answer.data.token;
  return answer;
}

const loginAdmin = defineFlow<Login & { account: string }>({
  name: 'an administrator logs in',
  isTriedCold: true,
  async prepare() {
    const account = newWord();
    const { id } = await addAdmin({ account, name: 'n', password });
    return { id, account };
  },
  async act({ api }, state) {
    const answer = take(state, await api.post(adminLogin, { account: state.account, password }));
    if (answer.code === 'ok') state.at = answer.data.admin.last_login_at;
    return answer;
  },
  async look(world, state) {
    if (state.token === undefined) return 'before';
    const admin = await world.table.get(keys.admin(state.id));
    if (admin?.last_login_at !== state.at) throw new Error('the login is not recorded');
    return (await findSession(world, state.token)) ? 'after' : 'before';
  },
  async isShown({ steady }, { token, at }) {
    if (token === undefined) return true;
    const { status, data } = await steady.get('/adminapi/system/admin/info', {}, token);
    return status === 200 && data.last_login_at === at;
  },
  changes: ({ id }) => [keys.admin(id)],
  hasChanged: async ({ table }, { id }) => Boolean((await table.get(keys.admin(id)))?.last_login_at),
  isRecord: ({ action, actor }, { id }) => action === 'system/login/account' && actor.id === id,
});

interface SmsLogin extends Partial<Login> {
  mobile: string;
  code: string;
}

/** Requests a code and reads it from the file of the local driver. */
async function askCode({ steady, functions }: World, mobile: string, scene: string): Promise<string> {
  await steady.post('/api/system/login/sendCode', { mobile, scene });
  return readCode(functions.dataDir, mobile);
}

async function readCode(dataDir: string, mobile: string): Promise<string> {
  const lines = (await readFile(join(dataDir, 'sms.jsonl'), 'utf8')).trim().split('\n');
  const line = lines.findLast((text) => text.includes(mobile));
  return line ? JSON.parse(line).code : '';
}

async function register(world: World, mobile: string): Promise<void> {
  const code = await askCode(world, mobile, 'register');
  await world.steady.post('/api/system/login/register', { terminal: 3, mobile, code, password });
}

const showsUser: Flow<{ token?: string }>['isShown'] = async ({ steady }, { token }) =>
  token === undefined || (await steady.get('/api/system/user/info', {}, token)).status === 200;

const bySms = (name: string, isKnown: boolean) =>
  defineFlow<SmsLogin>({
    name,
    isTriedCold: !isKnown,
    async prepare(world) {
      const mobile = newMobile();
      if (isKnown) await register(world, mobile);
      return { mobile, code: await askCode(world, mobile, 'login') };
    },
    act: async ({ api }, state) =>
      take(
        state,
        await api.post(userLogin, { terminal: 3, scene: 'sms', mobile: state.mobile, code: state.code }),
      ),
    async look(world, { mobile, token }) {
      const { table } = world;
      const isUsed = (await table.get(keys.smsCode('login', mobile)))?.used_at !== undefined;
      const claim = await table.get(keys.userMobile(mobile));
      const user = claim && (await table.get(keys.user(String(claim.id))));
      if (isUsed && !user) throw new Error('the code is used up, but no user logged in with it');
      if (!isUsed && !isKnown && claim) throw new Error('there is a user, and the code can be used again');
      if (token !== undefined && !(await findSession(world, token))) throw new Error('there is no session');
      return isUsed ? 'after' : 'before';
    },
    isShown: showsUser,
    changes: () => [],
    conflicts: ['auth.code_invalid'],
  });

const byPassword = defineFlow<{ mobile: string; token?: string }>({
  name: 'a user logs in by password',
  async prepare(world) {
    const mobile = newMobile();
    await register(world, mobile);
    return { mobile };
  },
  act: async ({ api }, state) =>
    take(
      state,
      await api.post(userLogin, { terminal: 3, scene: 'password', mobile: state.mobile, password }),
    ),
  look: async (world, { token }) => ((await findSession(world, token)) ? 'after' : 'before'),
  isShown: showsUser,
  changes: () => [],
});

const sendCode = defineFlow<{ mobile: string }>({
  name: 'a code is sent',
  prepare: async () => ({ mobile: newMobile() }),
  act: ({ api }, { mobile }) => api.post('/api/system/login/sendCode', { mobile, scene: 'login' }),
  look: async ({ table }, { mobile }) =>
    (await table.get(keys.smsCode('login', mobile))) ? 'after' : 'before',
  // Only a code that was sent may log in.
  async isShown({ steady, functions }, { mobile }) {
    const code = await readCode(functions.dataDir, mobile).catch(() => '');
    if (code === '') return true;
    const { status } = await steady.post(userLogin, { terminal: 3, scene: 'sms', mobile, code });
    return status === 200;
  },
  changes: () => [],
  failures: ['sms.failed'],
});

export const loginFlows: Flow[] = [
  loginAdmin,
  bySms('a new user logs in by SMS', false),
  bySms('a known user logs in by SMS', true),
  byPassword,
  sendCode,
];
