import { loginAdmin } from '#modules/System/admins/admin-login.ts';
import { addAdmin } from '#modules/System/admins/admins.ts';
import { type AliyunOssDouble, startAliyunOss } from '../../doubles/aliyun-oss.ts';
import { type OpenAiDouble, startOpenAi } from '../../doubles/openai.ts';
import { type Functions, startFunctions } from '../../support/functions.ts';
import type { Decide } from '../wire/fault.ts';
import { startFaultProxy } from '../wire/fault-proxy.ts';
import { type Answer, type Api, createApi, insist } from './api.ts';
import { type Journal, keepJournal } from './journal.ts';
import { nameRequests } from './name-requests.ts';
import { newWord } from './random.ts';
import { openTable, type Table } from './table.ts';

/** The service with its dependencies, each behind a proxy that can fail. */
export interface World {
  functions: Functions;
  api: Api;
  /** The same for preparation and checks: it repeats requests that another run's fault has affected. */
  steady: Api;
  table: Table;
  provider: OpenAiDouble;
  cloud: AliyunOssDouble;
  journal: Journal;
  /** An administrator for this run only, until released: two runs of one administrator would share reads. */
  takeAdmin(): Promise<Caller>;
  giveBack(caller: Caller): void;
  /** Empties the cache. */
  chill(): Promise<void>;
  saveSettings(group: string, values: Record<string, unknown>): Promise<Answer>;
  stop(): Promise<void>;
}

/** An administrator who is logged in. */
export interface Caller {
  adminId: string;
  token: string;
}

const key = 'sk-of-the-double';
const model = 'test-model';
const bucket = 'files-of-a-site';
const secrets = { access_key: 'AKIDexample', secret_key: 'a-secret-of-thirty-characters' };

/** @param decide the fault of each request to stores, engine and provider */
export async function startWorld(decide: Decide): Promise<World> {
  const journal = keepJournal();
  const endNames = nameRequests();
  const provider = await startOpenAi({ key, model });
  const cloud = await startAliyunOss({ bucket, keys: { [secrets.access_key]: secrets.secret_key } });
  const toProvider = await startFaultProxy('provider', provider.url, decide);
  const toCloud = await startFaultProxy('engine', cloud.url, decide);
  const functions = await startFunctions({
    environment: { ALLOW_PRIVATE_ENDPOINTS: '1' },
    betweenDatabase: (url) => startFaultProxy('database', url, decide),
    betweenCache: (url) => startFaultProxy('cache', url, decide),
  });
  const api = createApi(functions);
  const steady = insist(api);
  const table = openTable(functions.stores.database, String(process.env.TABLE_NAME));
  const idle: Caller[] = [];
  const { token } = await newAdmin();
  const saveSettings = (group: string, values: Record<string, unknown>) =>
    steady.post('/adminapi/system/setting/config/save', { group, values }, token);
  const domain = toCloud.url.replace('127.0.0.1', 'localhost');
  await saveSettings('aliyun', { bucket, ...secrets, domain });
  await saveSettings('ai', { enabled: true, base_url: `${toProvider.url}/v1`, api_key: key, model });
  return {
    ...{ functions, api, steady, table, provider, cloud, journal, saveSettings },
    takeAdmin: async () => idle.pop() ?? newAdmin(),
    giveBack: ({ adminId, token }) => void idle.push({ adminId, token }),
    async chill() {
      const { cache, token } = functions.stores;
      const headers = { authorization: `Bearer ${token}` };
      await fetch(cache, { method: 'POST', headers, body: JSON.stringify(['FLUSHDB']) });
    },
    async stop() {
      table.close();
      await functions.stop();
      for (const running of [toProvider, toCloud, provider, cloud]) await running.stop();
      endNames();
      journal.close();
    },
  };
}

/** Logs a new administrator in. */
export async function newAdmin(): Promise<Caller> {
  const [account, password] = [newWord(), newWord()];
  const { id: adminId } = await addAdmin({ account, name: 'n', password, isSuper: true });
  const { token } = await loginAdmin(account, password, '203.0.113.7');
  return { adminId, token };
}
