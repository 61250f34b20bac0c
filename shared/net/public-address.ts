import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

/** Which addresses connections may reach. */
export interface OutboundPolicy {
  /** Whether hosts on private networks may be reached. */
  allowPrivate: boolean;
  /** Resolves names. @default `dns.lookup` */
  lookup?: LookupFunction;
}

const global = ipaddr.IPv6.parseCIDR('2000::/3');
/** Protocol assignments, such as Teredo. */
const assignments = ipaddr.IPv6.parseCIDR('2001::/23');
/** NAT64: IPv4 addresses for networks without IPv4. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Public ranges, as `ipaddr.js` names them. */
const reachable = ['unicast', 'as112', 'as112v6', 'amt'];

/**
 * Whether an IPv4 or IPv6 address, without brackets, is public. False for every special range, for addresses with a
 * zone, IPv4-mapped addresses and text that is not an address. A NAT64 address is as public as its IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return reachable.includes(parsed.range());
  if (parsed.match(nat64)) return isPublicAddress(parsed.toByteArray().slice(-4).join('.'));
  return parsed.match(global) && !parsed.match(assignments) && reachable.includes(parsed.range());
}

/**
 * A lookup that fails with {@link OutboundError} `denied` if any address of a name is not public. Connections use
 * it, so a name cannot change between check and connection.
 */
export function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const isAllowed = addresses.length > 0 && addresses.every(isPublicAddress);
      const message = `${hostname} does not resolve to public addresses alone`;
      callback(isAllowed ? null : new OutboundError('denied', message), found, family);
    });
  };
}
