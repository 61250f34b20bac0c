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
  const { region, uc_host, https, access_key: accessKey, bucket } = settings;
  const own = { up: settings.up_host, rs: settings.rs_host };
  // A single host is tried twice.
  const origins = (uc_host ? [uc_host, uc_host] : ucHosts).map((host) => toOrigin(host, https));

  return async (service, deadline) => {
    const hosts = own[service]
      ? [own[service]]
      : (region ? knownHosts(region) : await queryRegion({ origins, accessKey, bucket }, deadline))[service];
    return hosts.map((host) => toOrigin(host, https));
  };
}

interface RegionQuestion {
  /** To be tried in this order. */
  origins: readonly string[];
  accessKey: string;
  bucket: string;
}

interface Entry {
  hosts: Promise<RegionHosts>;
  /** Milliseconds since 1970. */
  freshUntil: number;
}

const host = z.string().check(z.regex(/^(?:https?:\/\/)?[A-Za-z0-9.-]+(?::\d{1,5})?$/));
const service = z.object({ domains: z.array(host).check(z.minLength(1)) });
const answer = z.object({
  hosts: z.array(z.object({ ttl: z.optional(z.number()), up: service, rs: service })).check(z.minLength(1)),
});

const dayMs = 86_400_000;
const entries = new Map<string, Entry>();

/**
 * The hosts of a bucket's region (`GET /v4/query`). Cached in this process for the time in the answer, at most a
 * day; failures are not cached. The SDK's own query caches them, and an unhandled one ends the process.
 *
 * @param deadline in milliseconds since 1970
 */
function queryRegion(question: RegionQuestion, deadline: number): Promise<RegionHosts> {
  const key = JSON.stringify(question);
  const known = entries.get(key);
  if (known && known.freshUntil > Date.now()) return known.hosts;
  const entry: Entry = {
    freshUntil: Number.POSITIVE_INFINITY,
    hosts: askAny(question, deadline).then(({ ttlMs, ...hosts }) => {
      entry.freshUntil = Date.now() + ttlMs;
      return hosts;
    }),
  };
  entries.set(key, entry);
  entry.hosts.catch(() => entries.get(key) === entry && entries.delete(key));
  return entry.hosts;
}

type Found = RegionHosts & { ttlMs: number };

/** Queries one host after the other; each gets an equal share of the remaining time. */
async function askAny({ origins, accessKey, bucket }: RegionQuestion, deadline: number): Promise<Found> {
  const query = new URLSearchParams({ ak: accessKey, bucket });
  let failure: unknown;
  for (const [index, origin] of origins.entries()) {
    const timeoutMs = Math.max(1, Math.ceil((deadline - Date.now()) / (origins.length - index)));
    try {
      return await ask(`${origin}/v4/query?${query}`, timeoutMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function ask(url: string, timeoutMs: number): Promise<Found> {
  const { status, body } = await requestJson({ url, timeoutMs });
  if (status !== 200) throw new Error(`the region query was answered ${status}`);
  const [region] = answer.safeParse(body).data?.hosts ?? [];
  if (!region) throw new Error('the region query was answered without hosts');
  const ttlMs = Math.min((region.ttl ?? Number.POSITIVE_INFINITY) * 1000, dayMs);
  return { up: region.up.domains, rs: region.rs.domains, ttlMs };
}
