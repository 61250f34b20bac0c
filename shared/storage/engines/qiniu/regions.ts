import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { toOrigin } from '../cloud-requests.ts';
import type { QiniuSettings } from './settings.ts';
import { knownHosts, type RegionHosts } from './signing.ts';

/** The origins of a service, to be tried in this order; at least one. */
export type FindHosts = (service: keyof RegionHosts, deadline: number) => Promise<readonly string[]>;

/** Hosts that answer the region of every bucket. */
const ucHosts = ['uc.qiniuapi.com', 'kodo-config.qiniuapi.com', 'uc.qbox.me'];

/** Finds the hosts in the settings, else those of the region; queries the region if it is not set. */
export function createFindHosts(settings: QiniuSettings): FindHosts {
  const { region, uc_host, https, access_key: ak, bucket } = settings;
  const own = { up: settings.up_host, rs: settings.rs_host };
  const query = `/v4/query?${new URLSearchParams({ ak, bucket })}`;
  // A single host is tried twice.
  const urls = (uc_host ? [uc_host, uc_host] : ucHosts).map((host) => toOrigin(host, https) + query);

  return async (service, deadline) => {
    const hosts = own[service]
      ? [own[service]]
      : (region ? knownHosts(region) : await queryRegion(urls, deadline))[service];
    return hosts.map((host) => toOrigin(host, https));
  };
}

/**
 * Tries one host after the other until one succeeds; throws the failure of the last one tried.
 *
 * @param deadline in milliseconds since 1970; after it, no further host is tried
 * @param attempt gets the number of hosts left, with this one
 */
export async function tryEach<Result>(
  origins: readonly string[],
  deadline: number,
  attempt: (origin: string, left: number) => Promise<Result>,
): Promise<Result> {
  let failure: unknown;
  for (const [index, origin] of origins.entries()) {
    try {
      return await attempt(origin, origins.length - index);
    } catch (error) {
      failure = error;
      if (Date.now() >= deadline) break;
    }
  }
  throw failure;
}

const host = z.string().check(z.regex(/^(?:https?:\/\/)?[A-Za-z0-9.-]+(?::\d{1,5})?$/));
const service = z.object({ domains: z.array(host).check(z.minLength(1)) });
const answer = z.object({
  hosts: z.array(z.object({ ttl: z.optional(z.number()), up: service, rs: service })).check(z.minLength(1)),
});

const dayMs = 86_400_000;
const known = new Map<string, { hosts: Promise<RegionHosts>; freshUntil: number }>();

/**
 * The hosts of a bucket's region (`GET /v4/query`), cached in this process for the time in the answer, at most a day.
 * The SDK's own query caches failures too, and an unhandled one ends the process.
 */
function queryRegion(urls: readonly string[], deadline: number): Promise<RegionHosts> {
  const key = urls.join(' ');
  const entry = known.get(key);
  if (entry && entry.freshUntil > Date.now()) return entry.hosts;
  // Each host gets an equal share of the remaining time.
  const asked = tryEach(urls, deadline, (url, left) =>
    ask(url, Math.max(1, Math.ceil((deadline - Date.now()) / left))),
  );
  const hosts = asked.then(({ ttlMs, ...found }) => {
    fresh.freshUntil = Date.now() + ttlMs;
    return found;
  });
  const fresh = { hosts, freshUntil: Number.POSITIVE_INFINITY };
  known.set(key, fresh);
  hosts.catch(() => known.get(key) === fresh && known.delete(key));
  return hosts;
}

async function ask(url: string, timeoutMs: number) {
  const { status, body } = await requestJson({ url, timeoutMs });
  if (status !== 200) throw new Error(`the region query was answered ${status}`);
  const [region] = answer.safeParse(body).data?.hosts ?? [];
  if (!region) throw new Error('the region query was answered without hosts');
  const ttlMs = Math.min((region.ttl ?? Number.POSITIVE_INFINITY) * 1000, dayMs);
  return { up: region.up.domains, rs: region.rs.domains, ttlMs };
}
