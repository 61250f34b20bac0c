import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenAiDouble, startOpenAi } from '../doubles/openai.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../doubles/openid/open-id-provider.ts';
import { administrator } from '../support/administrator.ts';
import type { FunctionRequest } from '../support/function-event.ts';
import type { Functions } from '../support/functions.ts';

type Json = Record<string, unknown>;

/** Builds the requests of one caller. */
export interface Caller {
  get(path: string, query?: Record<string, string>): FunctionRequest;
  post(path: string, body?: unknown): FunctionRequest;
  /** A form with a file, and fields before it. */
  upload(path: string, fields: Record<string, string>, bytes: Uint8Array): Promise<FunctionRequest>;
}

export interface UserCaller extends Caller {
  id: string;
  mobile: string;
}

/** The tools of scenarios: an installed service, its administrator, and users. */
export interface Kit {
  functions: Functions;
  admin: Caller;
  user: UserCaller;
  guest: Caller;
  /** Sends a request and answers its data. @throws Error if the answer is not a success */
  ask(request: FunctionRequest): Promise<Json>;
  /** Asks for a code by SMS and reads it. */
  askCode(mobile: string, scene: string): Promise<string>;
  addUser(): Promise<UserCaller>;
  /** Logs the administrator in once more. */
  logIn(): Promise<Caller>;
  /** Sets the assistant up with a model that answers at once. */
  useModel(): Promise<void>;
  /** Sets single sign-on up with a provider. @param create the role of new administrators. @default none */
  useSso(create?: string): Promise<void>;
  stop(): Promise<void>;
}

/** The password of every user here. */
export const password = 'correct horse battery';

/** A new mobile number. */
export const newMobile = (): string => `13${randomInt(10 ** 8, 10 ** 9)}`;

/** A unique key, account or word. */
export const newName = (): string => {
  const letters = 'abcdefghij';
  return `t${[...String(randomInt(10 ** 8, 10 ** 9))].map((digit) => letters[Number(digit)]).join('')}`;
};

export function createCaller(token?: string): Caller {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const json = { ...headers, 'content-type': 'application/json' };
  return {
    get: (path, query = {}) => {
      const text = new URLSearchParams(query).toString();
      return { method: 'GET', path, query: text, headers };
    },
    post: (path, body = {}) => ({ method: 'POST', path, headers: json, body: JSON.stringify(body) }),
    async upload(path, fields, bytes) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new File([new Uint8Array(bytes)], 'picture.png'));
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const body = new Uint8Array(await encoded.arrayBuffer());
      return { method: 'POST', path, headers: { ...headers, 'content-type': type }, body };
    },
  };
}

export async function createKit(functions: Functions): Promise<Kit> {
  const guest = createCaller();

  async function ask(request: FunctionRequest): Promise<Json> {
    const { status, body } = await functions.call(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path} ${status}: ${body}`);
    return Object(JSON.parse(body.toString()).data);
  }

  async function askCode(mobile: string, scene: string): Promise<string> {
    await ask(guest.post('/api/system/login/sendCode', { mobile, scene }));
    const lines = (await readFile(join(functions.dataDir, 'sms.jsonl'), 'utf8')).trim().split('\n');
    const sent = lines.map((line) => JSON.parse(line));
    return sent.findLast((message) => message.mobile === mobile && message.scene === scene).code;
  }

  async function addUser(): Promise<UserCaller> {
    const mobile = newMobile();
    const code = await askCode(mobile, 'register');
    const body = { terminal: 3, mobile, code, password };
    const { token, user } = await ask(guest.post('/api/system/login/register', body));
    return { ...createCaller(String(token)), id: String(Object(user).id), mobile };
  }

  async function logIn(): Promise<Caller> {
    const { token } = await ask(guest.post('/adminapi/system/login/account', administrator));
    return createCaller(String(token));
  }

  const model = { key: 'sk-round-trips', model: 'test-model' };
  let provider: OpenAiDouble | undefined;
  async function useModel(): Promise<void> {
    if (provider) return;
    provider = await startOpenAi(model);
    provider.script({ content: 'Hello' });
    const values = { enabled: true, base_url: provider.baseUrl, api_key: model.key, model: model.model };
    await ask(admin.post('/adminapi/system/setting/config/save', { group: 'ai', values }));
  }

  let openId: OpenIdProvider | undefined;
  async function useSso(create = ''): Promise<void> {
    openId ??= await startOpenIdProvider('http://localhost:3000/console/sso');
    const values = { issuer: openId.issuer, ...openId.client, create };
    await ask(admin.post('/adminapi/system/setting/config/save', { group: 'oidc', values }));
  }

  const admin = await logIn();
  return {
    functions,
    admin,
    user: await addUser(),
    guest,
    ask,
    askCode,
    addUser,
    logIn,
    useModel,
    useSso,
    stop: async () => {
      await provider?.stop();
      await openId?.stop();
    },
  };
}
