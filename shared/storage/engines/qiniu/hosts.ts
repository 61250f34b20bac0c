import { toOrigin } from '../../addresses.ts';
import type { QiniuSettings } from '../../settings.ts';
import { queryRegion } from './region-query.ts';
import { knownHosts, type RegionHosts } from './signer.ts';

/** The origins of a service in the order in which to try them, never none. */
export type FindHosts = (service: keyof RegionHosts, deadline: number) => Promise<readonly string[]>;

/** Hosts that know the region of every bucket. */
const ucHosts = ['uc.qiniuapi.com', 'kodo-config.qiniuapi.com', 'uc.qbox.me'];

/** Finds hosts by the settings: a host of its own, else the region's, else those of the region asked for. */
export function createFindHosts(settings: QiniuSettings): FindHosts {
  const { region, uc_host, https, access_key: accessKey, bucket } = settings;
  const own = { up: settings.up_host, rs: settings.rs_host };
  // The only host that there is gets a second chance.
  const origins = (uc_host ? [uc_host, uc_host] : ucHosts).map((host) => toOrigin(host, https));

  return async (service, deadline) => {
    const hosts = own[service]
      ? [own[service]]
      : (region ? knownHosts(region) : await queryRegion({ origins, accessKey, bucket }, deadline))[service];
    return hosts.map((host) => toOrigin(host, https));
  };
}
