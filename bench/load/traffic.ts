import type { LoadAnswer, LoadClient, LoadRequest } from './client.ts';
import { encodePicture } from './picture.ts';
import type { Credentials } from './server.ts';

/** A concurrent client. */
export interface Visitor {
  /** Unique. */
  name: string;
  /** Version of the dictionary item that only this one edits. */
  version: number;
}

/** A kind of request in the mix. */
export interface Kind {
  name: string;
  /** Relative frequency. */
  weight: number;
  create(visitor: Visitor): LoadRequest;
  /** Why an answer is wrong; undefined if it is right. */
  findFault(answer: LoadAnswer): string | undefined;
  /** Stores the values of a good answer that the next request needs. */
  learn?(visitor: Visitor, answer: LoadAnswer): void;
}

export const dictType = 'load_test';
const items = '/adminapi/system/setting/dict/data';

export const toPost = (path: string, body: unknown, headers: Record<string, string> = {}): LoadRequest => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The requests of a front end, its users and programs, in realistic shares. */
export function createTraffic(token: string, { account, password }: Credentials): Kind[] {
  const admin = { authorization: `Bearer ${token}` };
  const get =
    (path: string, headers = {}) =>
    (): LoadRequest => ({ method: 'GET', path, headers });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const call = { ...list, method: 'tools/call', params: { name: 'system.user_count', arguments: {} } };
  const mcp = { ...admin, accept: 'application/json, text/event-stream' };
  const picture = encodePicture(admin);
  const enveloped = { findFault: findEnvelopeFault };
  const byRpc = { findFault: findRpcFault };
  return [
    {
      name: 'public dictionary',
      weight: 30,
      create: get('/api/system/config/dict?type=bank_kind'),
      ...enveloped,
    },
    { name: 'public articles', weight: 20, create: get('/api/article/article/list'), ...enveloped },
    { name: 'list of files', weight: 12, create: get('/adminapi/system/file/list', admin), ...enveloped },
    { name: 'list of users', weight: 8, create: get('/adminapi/user-center/user/list', admin), ...enveloped },
    { name: 'settings', weight: 8, create: get('/adminapi/system/setting/config/list', admin), ...enveloped },
    { name: 'upload form', weight: 4, create: () => picture, ...enveloped },
    {
      name: 'dictionary edit',
      weight: 4,
      create: ({ name, version }) =>
        toPost(`${items}/edit`, { type_key: dictType, value: name, name: `Item ${version}`, version }, admin),
      learn: (visitor, { json }) => {
        visitor.version = Number(Object(Object(json).data).version);
      },
      ...enveloped,
    },
    {
      name: 'rpc tools/call',
      weight: 6,
      create: () => toPost('/adminapi/system/ai/mcp/rpc', call, admin),
      ...byRpc,
    },
    { name: 'MCP tools/list', weight: 6, create: () => toPost('/mcp/service', list, mcp), ...byRpc },
    {
      name: 'login',
      weight: 2,
      create: () => toPost('/adminapi/system/login/account', { account, password }),
      ...enveloped,
    },
  ];
}

/** Logs in, and creates a dictionary with an item for each visitor. */
export async function prepareTraffic(
  { ask }: LoadClient,
  credentials: Credentials,
  visitors: number,
): Promise<{ token: string; visitors: Visitor[] }> {
  const post = async (path: string, body: unknown, headers = {}) => {
    const answer = await ask(toPost(path, body, headers));
    const fault = findEnvelopeFault(answer);
    if (fault) throw new Error(`${path}: ${fault}`);
    return Object(Object(answer.json).data);
  };
  const { token } = await post('/adminapi/system/login/account', credentials);
  const admin = { authorization: `Bearer ${token}` };
  const type = { type_key: dictType, name: 'Load', enabled: true };
  // A service given by --url may have it from an earlier run.
  await ask(toPost('/adminapi/system/setting/dict/type/add', type, admin));
  const names = Array.from({ length: visitors }, (_, index) => `visitor-${index}`);
  const fresh = names.map((value) => ({ value, name: 'Item' }));
  const body = { type_key: dictType, items: fresh, mode: 'replace' };
  await post('/adminapi/system/setting/dict/data/import', body, admin);
  const versions = await Promise.all(names.map((name) => readVersion(ask, admin, name)));
  return { token, visitors: names.map((name, index) => ({ name, version: versions[index] ?? 1 })) };
}

async function readVersion(
  ask: LoadClient['ask'],
  headers: Record<string, string>,
  value: string,
): Promise<number> {
  const query = new URLSearchParams({ type_key: dictType, value });
  const { json } = await ask({ method: 'GET', path: `${items}/detail?${query}`, headers });
  return Number(Object(Object(json).data).version);
}

/** Status and code of an answer that is not a success in its envelope. */
export function findEnvelopeFault({ status, requestId, json }: LoadAnswer): string | undefined {
  const { code, message, data, request_id } = Object(json);
  if (status !== 200 || code !== 'ok') return `${status} ${code ?? 'without envelope'}`;
  const isWhole = typeof message === 'string' && data !== undefined && request_id === requestId;
  return isWhole && requestId !== '' ? undefined : `${status} broken envelope`;
}

export function findRpcFault({ status, json }: LoadAnswer): string | undefined {
  const { jsonrpc, id, result, error, code } = Object(json);
  if (status === 200 && jsonrpc === '2.0' && id === 1 && Object(result) === result) return undefined;
  return `${status} ${Object(error).code ?? code ?? 'without result'}`;
}
