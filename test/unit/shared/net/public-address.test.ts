import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isPublicAddress } from '#shared/net/public-address.ts';

// Independent of the library: ranges of numbers, first and last, from the IANA registries.
const specialRanges: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];
const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toIpv4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const isSpecial = (value: number) =>
  specialRanges.some(([first, last]) => value >= toNumber(first) && value <= toNumber(last));

const anyIpv4 = fc.nat(0xffffffff);
const specialIpv4 = fc
  .constantFrom(...specialRanges)
  .chain(([first, last]) => fc.integer({ min: toNumber(first), max: toNumber(last) }));
const toIpv6 = (groups: number[]) => groups.map((group) => group.toString(16)).join(':');
const groups = (count: number) => fc.array(fc.nat(0xffff), { minLength: count, maxLength: count });
const startingWith = (min: number, max: number) =>
  fc.tuple(fc.integer({ min, max }), groups(7)).map(([first, rest]) => toIpv6([first, ...rest]));
const embed = (prefix: number[], value: number) => toIpv6([...prefix, value >>> 16, value & 0xffff]);

describe('IPv4', () => {
  test('agrees with the registries on any address', () => {
    fc.assert(fc.property(anyIpv4, (value) => isPublicAddress(toIpv4(value)) === !isSpecial(value)));
  });

  test('refuses every address of a special range', () => {
    fc.assert(fc.property(specialIpv4, (value) => !isPublicAddress(toIpv4(value))));
  });

  test.each(specialRanges)('refuses %s to %s and not their neighbours', (first, last) => {
    const [before, after] = [toNumber(first) - 1, toNumber(last) + 1];

    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    if (before >= 0) expect(isPublicAddress(toIpv4(before))).toBe(!isSpecial(before));
    if (after <= 0xffffffff) expect(isPublicAddress(toIpv4(after))).toBe(!isSpecial(after));
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '223.255.255.255',
  ])('takes %s for public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('IPv6', () => {
  test.each([
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, written out', '0:0:0:0:0:0:0:1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped public address', '::ffff:8.8.8.8'],
    ['mapped, in groups', '::ffff:0808:0808'],
    ['compatible with IPv4', '::8.8.8.8'],
    ['translated', '::ffff:0:8.8.8.8'],
    ['discard-only', '100::1'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of a metadata address', '64:ff9b::a9fe:a9fe'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['documentation', '2001:db8::1'],
    ['newer documentation', '3fff::1'],
    ['6to4 of a private address', '2002:0a00:0001::1'],
    ['unique local', 'fd00:ec2::254'],
    ['unique local, lower half', 'fc00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1%1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['unassigned', '4000::1'],
  ])('refuses what is %s: %s', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2400:3200::1',
    '64:ff9b::8.8.8.8',
    '2600:1F14::1',
  ])('takes %s for public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('refuses everything outside the global block and NAT64', () => {
    const outside = fc.oneof(startingWith(0x65, 0x1fff), startingWith(0x4000, 0xffff));
    fc.assert(fc.property(outside, (address) => !isPublicAddress(address)));
  });

  test('accepts ranges of providers as public', () => {
    fc.assert(fc.property(startingWith(0x2003, 0x3ffe), (address) => isPublicAddress(address)));
  });

  test('judges NAT64 by its IPv4 address', () => {
    fc.assert(
      fc.property(fc.oneof(anyIpv4, specialIpv4), (value) => {
        return isPublicAddress(embed([0x64, 0xff9b, 0, 0, 0, 0], value)) === !isSpecial(value);
      }),
    );
  });

  test('refuses any IPv4-mapped address', () => {
    fc.assert(
      fc.property(anyIpv4, (value) => {
        return (
          !isPublicAddress(embed([0, 0, 0, 0, 0, 0xffff], value)) &&
          !isPublicAddress(`::ffff:${toIpv4(value)}`)
        );
      }),
    );
  });

  test('gives the same answer for every spelling of an address', () => {
    fc.assert(
      fc.property(groups(8), (parts) => {
        const plain = toIpv6(parts);
        const short = new URL(`http://[${plain}]`).hostname.slice(1, -1);
        const long = parts.map((part) => part.toString(16).padStart(4, '0')).join(':');
        const verdicts = [plain, short, long, plain.toUpperCase()].map(isPublicAddress);
        expect(new Set(verdicts).size).toBe(1);
      }),
    );
  });
});

test('refuses text that is not an address', () => {
  const texts = [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '8.8.8',
    '8.8.8.8.8',
    '[::1]',
    '8.8.8.8 ',
    '١.1.1.1',
  ];

  expect(texts.map(isPublicAddress)).toEqual(texts.map(() => false));
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'g-_ /@') }), (text) => !isPublicAddress(text)));
});
