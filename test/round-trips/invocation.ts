import { RedisClient } from '#shared/cache/redis.ts';
import { createTransport } from '#shared/cache/transport.ts';
import type { FunctionRequest } from '../support/function-event.ts';
import type { Kit } from './kit.ts';
import { events, functionOf, requests } from './scenarios.ts';

/** A prepared scenario. */
export interface Invocation {
  /** @throws Error if the answer is not a success */
  run(): Promise<void>;
  /** Caches what the gates read of the caller, who may be new. */
  passGates(): Promise<void>;
}

/** @throws Error if there is no scenario of the name */
export async function prepareInvocation(kit: Kit, scenario: string): Promise<Invocation> {
  const createEvent = events[scenario];
  if (createEvent) {
    const event = await createEvent(kit);
    const run = async () => void (await kit.functions.invoke(functionOf(scenario), event));
    return { run, passGates: async () => {} };
  }
  const createRequest = requests[scenario];
  if (!createRequest) throw new Error(`there is no scenario ${scenario}`);
  const request = await createRequest(kit);
  return { run: () => send(kit, request), passGates: () => passGates(kit, request) };
}

/** @throws Error if the answer is not a success */
export async function send({ functions }: Kit, request: FunctionRequest): Promise<void> {
  const { status, body } = await functions.call(request);
  if (status >= 400) throw new Error(`${request.method} ${request.path} ${status}: ${body}`);
}

async function passGates(kit: Kit, { path, headers = {} }: FunctionRequest): Promise<void> {
  const info = path.startsWith('/api/') ? '/api/system/user/info' : '/adminapi/system/admin/info';
  const { authorization = '' } = headers;
  if (/^Bearer v1\./.test(authorization)) {
    await send(kit, { method: 'GET', path: info, headers: { authorization } });
  }
}

let direct: RedisClient | undefined;

/** Empties the cache, without a request through the proxies. */
export async function dropCached({ functions: { stores } }: Kit): Promise<void> {
  direct ??= new RedisClient(createTransport({ url: stores.cache, token: stores.token, timeoutMs: 5000 }));
  // The store in memory answers with all keys at once.
  const [, keys] = await direct.scan('0', { match: 'service:*' });
  if (keys.length > 0) await direct.del(...keys);
}
