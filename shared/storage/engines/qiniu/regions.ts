import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { toOrigin } from '../cloud-requests.ts';
import type { QiniuSettings } from './settings.ts';
import { knownHosts, type RegionHosts } from './signing.ts';

/** The origins of a service in the order in which to try them; at least one. */
export type FindHosts = (service: keyof RegionHosts, deadline: number) => Promise<readonly string[]>;

/** Hosts that know the region of every bucket. */
const ucHosts = ['uc.qiniuapi.com', 'kodo-config.qiniuapi.com', 'uc.qbox.me'];

/** Finds hosts by the settings: the operator's own, else those of the region, which is asked for if not set. */
export function createFindHosts(settings: QiniuSettings): FindHosts {
  const { region, uc_host, https, access_key: accessKey, bucket } = settings;
  const own = { up: settings.up_host, rs: settings.rs_host };
  // A single host gets a second chance.
  const origins = (uc_host ? [uc_host, uc_host] : ucHosts).map((host) => toOrigin(host, https));

  return async (service, deadline) => {
    const hosts = own[service]
      ? [own[service]]
      : (region ? knownHosts(region) : await queryRegion({ origins, accessKey, bucket }, deadline))[service];
    return hosts.map((host) => toOrigin(host, https));
  };
}

interface RegionQuestion {
  /** Where to ask, in this order. */
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
 * The hosts of a bucket's region (`GET /v4/query`), kept in this process as long as the answer says, a day at
 * most. Failures are not kept. The SDK's own query keeps them, and an unhandled one ends the process.
 *
 * @param deadline when to give up, in milliseconds since 1970
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

/** Asks one host after the other; each gets an equal share of the time that is left. */
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
