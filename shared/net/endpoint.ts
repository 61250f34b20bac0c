import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { OutboundError } from './outbound-error.ts';
import { guardLookup, isPublicAddress } from './public-address.ts';

/** The host of a URL as an address, without brackets; undefined if it is a name. */
export function toAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/**
 * Reads the URL of another service. Names are not resolved here.
 *
 * @param allowPrivate whether its host may be an address that is not public
 * @throws OutboundError `url_invalid` if it is not an http or https URL without credentials, `denied` if its
 * host is an address that is not public
 */
export function parseTarget(url: string, allowPrivate: boolean): URL {
  if (!URL.canParse(url)) throw new OutboundError('url_invalid', 'the URL of a request cannot be read');
  const target = new URL(url);
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    throw new OutboundError('url_invalid', 'the URL of a request is neither http nor https');
  }
  if (target.username || target.password) {
    throw new OutboundError('url_invalid', 'the URL of a request holds credentials');
  }
  // A connection to an address does no lookup, so addresses are checked here.
  const address = toAddress(target);
  if (address !== undefined && !allowPrivate && !isPublicAddress(address)) {
    throw new OutboundError('denied', `${address} is not a public address`);
  }
  return target;
}

export interface EndpointPolicy {
  /** Whether private addresses pass. @default `environment().allowPrivateEndpoints` */
  allowPrivate?: boolean;
  /** Resolves names. @default `dns.lookup` */
  lookup?: LookupFunction;
}

/**
 * Checks an endpoint before it is saved: for the operator, and for libraries that connect by themselves. Our
 * own connections check again.
 *
 * @throws AppError `config.endpoint_denied` if it is not an http or https URL without credentials, does not
 *   resolve, or an address is not public. If private endpoints are allowed, only the URL is checked.
 */
export async function assertPublicEndpoint(
  url: string,
  { allowPrivate = environment().allowPrivateEndpoints, lookup = resolveName }: EndpointPolicy = {},
): Promise<void> {
  try {
    const target = parseTarget(url, allowPrivate);
    if (allowPrivate || toAddress(target) !== undefined) return;
    await resolvePublic(target.hostname, guardLookup(lookup));
  } catch (cause) {
    throw new AppError('config.endpoint_denied', { cause });
  }
}

function resolvePublic(hostname: string, resolve: LookupFunction): Promise<void> {
  return new Promise((succeed, fail) => {
    resolve(hostname, { all: true }, (error) => {
      if (!error) succeed();
      else if (error instanceof OutboundError) fail(error);
      else fail(new OutboundError('unreachable', `${hostname} does not resolve (${error.code})`));
    });
  });
}
