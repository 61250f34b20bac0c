import { BlockList, isIP } from 'node:net';

/** IPv4 blocks that are not the public unicast internet (IANA special-purpose registry, multicast, reserved). */
const specialIpv4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network, the unspecified address
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, where some clouds keep their metadata
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, where clouds keep their metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** What is refused inside the blocks that {@link globalIpv6} allows. */
const specialIpv6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments, Teredo among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which carries any IPv4 address
  ['3fff::', 20], // documentation
];

/** NAT64, how a network without IPv4 reaches IPv4: as public as the address that it carries. */
const nat64 = { network: '64:ff9b::', prefix: 96 };

const refused = new BlockList();
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');
globalIpv6.addSubnet(nat64.network, nat64.prefix, 'ipv6');
for (const [network, prefix] of specialIpv6) refused.addSubnet(network, prefix, 'ipv6');
for (const [network, prefix] of specialIpv4) {
  refused.addSubnet(network, prefix, 'ipv4');
  refused.addSubnet(`${nat64.network}${network}`, nat64.prefix + prefix, 'ipv6');
}

/**
 * Whether an address belongs to the public internet. False for private, loopback, link-local, carrier-grade
 * NAT, multicast, unspecified, reserved, documentation, unique local and IPv4-mapped addresses, for whatever
 * has a zone, and for text that is no address. IPv6 is allowed by what is assigned, not by what is not.
 *
 * @param address an IPv4 or IPv6 address in text form, without brackets
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  return version === 6 && globalIpv6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
