import { RedisClient, redis } from '#shared/cache/redis.ts';
import { createTransport } from '#shared/cache/transport.ts';
import type { FunctionRequest } from '../support/function-event.ts';
import type { Kit } from './kit.ts';
import { events, functionOf, requests } from './scenarios.ts';
import type { Recording, Waves } from './waves.ts';

/** How a function travels with everything cached, and with nothing. */
export interface Travels {
  hit: Recording;
  miss: Recording;
}

/**
 * Measures a scenario in a process that is warm: everything is loaded and connected.
 *
 * @throws Error where it is not answered with a success
 */
export async function measure(kit: Kit, waves: Waves, scenario: string): Promise<Travels> {
  const prepare = async () => {
    const invoke = await prepareInvocation(kit, scenario);
    // What earlier requests left to ride in front of the next has arrived.
    await redis().ping();
    return invoke;
  };
  await (await prepare()).run();
  const cold = await prepare();
  await dropCached(kit);
  const miss = await waves.record(cold.run);
  const warm = await prepare();
  await warm.passGates();
  const hit = await waves.record(warm.run);
  return { hit, miss };
}

interface Invocation {
  run(): Promise<void>;
  /** Caches what the gates read of the caller, who may be new. */
  passGates(): Promise<void>;
}

async function prepareInvocation(kit: Kit, scenario: string): Promise<Invocation> {
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

async function send({ functions }: Kit, request: FunctionRequest): Promise<void> {
  const { status, body } = await functions.call(request);
  if (status >= 300) throw new Error(`${request.method} ${request.path} ${status}: ${body}`);
}

async function passGates(kit: Kit, { path, headers = {} }: FunctionRequest): Promise<void> {
  const info = path.startsWith('/api/') ? '/api/system/user/info' : '/adminapi/system/admin/info';
  const { authorization = '' } = headers;
  if (/^Bearer v1\./.test(authorization)) {
    await send(kit, { method: 'GET', path: info, headers: { authorization } });
  }
  await redis().ping();
}

let direct: RedisClient | undefined;

/** Drops everything that is cached, past what stands between. */
async function dropCached({ functions: { stores } }: Kit): Promise<void> {
  direct ??= new RedisClient(createTransport({ url: stores.cache, token: stores.token, timeoutMs: 5000 }));
  const keys = await direct.keys('service:*');
  if (keys.length > 0) await direct.del(...keys);
}
