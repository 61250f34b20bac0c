import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * A lookup that fails with {@link OutboundError} `denied` when any address of a name is not public. Given to
 * a connection it checks the very addresses that are connected to, so a name that changes its answer between
 * a check and the connection gains nothing.
 *
 * @param lookup resolves names, as `dns.lookup` does
 */
export function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      if (error) return callback(error, address, family);
      const denied = findDenied(hostname, address);
      if (denied) callback(denied, address, family);
      else callback(null, address, family);
    });
  };
}

function findDenied(hostname: string, found: string | LookupAddress[]): OutboundError | undefined {
  const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
  if (addresses.length > 0 && addresses.every(isPublicAddress)) return undefined;
  return new OutboundError('denied', `${hostname} does not resolve to public addresses alone`);
}
