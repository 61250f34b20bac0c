import { lookup as resolveName } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { OutboundError } from './outbound-error.ts';
import { guardLookup, isPublicAddress, type OutboundPolicy } from './public-address.ts';

/** The host of a URL as an address, without brackets; undefined if it is a name. */
export function toAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/**
 * Reads the URL of another service. Names are not resolved here.
 *
 * @throws OutboundError `url_invalid` if it is not an http(s) URL without credentials, `denied` for a private address
 */
export function parseTarget(url: string, allowPrivate: boolean): URL {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) {
    throw new OutboundError('url_invalid', 'the URL of a request is not an http(s) URL without credentials');
  }
  // A connection to an address does no lookup, so addresses are checked here.
  const address = toAddress(target);
  if (address !== undefined && !allowPrivate && !isPublicAddress(address)) {
    throw new OutboundError('denied', `${address} is not a public address`);
  }
  return target;
}

/**
 * Checks an endpoint before it is saved, for the operator and for libraries that connect by themselves.
 *
 * @throws AppError `config.endpoint_denied` as {@link parseTarget}; if private ones are denied, also for their names
 */
export async function assertPublicEndpoint(
  url: string,
  { allowPrivate = environment().allowPrivateEndpoints, lookup = resolveName }: Partial<OutboundPolicy> = {},
): Promise<void> {
  try {
    const target = parseTarget(url, allowPrivate);
    if (allowPrivate || toAddress(target) !== undefined) return;
    await promisify(guardLookup(lookup))(target.hostname, { all: true });
  } catch (cause) {
    throw new AppError('config.endpoint_denied', { cause });
  }
}
