import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Caller } from '../request.ts';
import { Things } from '../world/things.ts';
import type { World } from '../world/world.ts';
import { sendRaw, toBytes } from './send-raw.ts';

/** A server that was started with this administrator. */
export interface Target {
  port: number;
  dataDir: string;
  administrator: { account: string; password: string };
}

const login = z.object({ data: z.object({ token: z.string() }) });
const mobile = '13900000001';

/** Callers who have logged in at a server over HTTP. */
export async function createWireWorld({ port, dataDir, administrator }: Target): Promise<World> {
  const things = new Things(dataDir);
  const post = async (path: string, body: object, authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const answer = await sendRaw(
      port,
      toBytes({ method: 'POST', path, headers, body: JSON.stringify(body) }),
    );
    if (answer?.status !== 200) throw new Error(`${path} answered ${answer?.status}: ${answer?.body}`);
    things.learn(path, answer);
    return JSON.parse(answer.body.toString());
  };
  const logIn = async () =>
    `Bearer ${z.parse(login, await post('/adminapi/system/login/account', administrator)).data.token}`;

  async function register(): Promise<string> {
    await post('/api/system/login/sendCode', { mobile, scene: 'register' });
    const [line = ''] = readFileSync(join(dataDir, 'sms.jsonl'), 'utf8').split('\n');
    const { code } = JSON.parse(line);
    const body = { terminal: 3, mobile, code, password: administrator.password };
    return `Bearer ${z.parse(login, await post('/api/system/login/register', body)).data.token}`;
  }

  async function makeToken(scope: string): Promise<string> {
    const body = { name: scope, scope, days: 1, password: administrator.password };
    return `Bearer ${z.parse(login, await post('/adminapi/system/admin/token/add', body, tokens.admin)).data.token}`;
  }

  // A login that no request ends.
  const operator = await logIn();
  const tokens: Partial<Record<Caller, string>> = { admin: await logIn(), user: await register() };
  tokens.reader = await makeToken('mcp:read');
  tokens.writer = await makeToken('mcp:write');
  return {
    things,
    authorizationOf: (caller) => tokens[caller],
    notice: (path, answer) => things.learn(path, answer),
    // The settings are not restored here.
    areSettingsChanged: () => true,
    async restore() {
      const save = (group: string, values: object) =>
        post('/adminapi/system/setting/config/save', { group, values }, operator);
      await save('basics', { sys_status: '1' });
      await save('login', { captcha_enabled: false });
      tokens.admin = await logIn();
    },
    stop: async () => {},
  };
}
