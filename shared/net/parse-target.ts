import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';
import { OutboundError } from './outbound-error.ts';

/** The host of a URL as an address, without brackets; undefined where it is a name. */
export function toAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/**
 * Reads the URL of another service. Names are not resolved here.
 *
 * @param allowPrivate whether addresses that are not public may stand in it
 * @throws OutboundError `url_invalid` when it is not an http or https URL without credentials, `denied` when
 * its host is an address that is not public
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
  // A connection to an address asks no lookup, so addresses are judged here.
  const address = toAddress(target);
  if (address !== undefined && !allowPrivate && !isPublicAddress(address)) {
    throw new OutboundError('denied', `${address} is not a public address`);
  }
  return target;
}
