import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

const global = ipaddr.IPv6.parseCIDR('2000::/3');
/** Protocol assignments, Teredo among them. */
const assignments = ipaddr.IPv6.parseCIDR('2001::/23');
/** NAT64: how a network without IPv4 reaches IPv4. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Special ranges that everyone can reach, in addition to `unicast`. */
const reachable = ['unicast', 'as112', 'as112v6', 'amt'];

/**
 * Whether an address belongs to the public internet. False for private, loopback, link-local, carrier-grade
 * NAT, multicast, unspecified, reserved, documentation, unique local and IPv4-mapped addresses, for addresses
 * with a zone, and for text that is not an address. IPv6 has to lie in the block that is assigned; NAT64 is as
 * public as the IPv4 address it carries.
 *
 * @param address an IPv4 or IPv6 address in text form, without brackets
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return reachable.includes(parsed.range());
  if (parsed.match(nat64)) return isPublicAddress(parsed.toByteArray().slice(-4).join('.'));
  return parsed.match(global) && !parsed.match(assignments) && reachable.includes(parsed.range());
}

/**
 * A lookup that fails with {@link OutboundError} `denied` if any address of a name is not public. A connection
 * that uses it connects to the addresses that were checked, so a name cannot change its answer in between.
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
