import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anonymousKey, maskAddress, normalizeAddress, parseNetwork, siteKey } from '../../../src/platform/access/policy/addresses.ts';

const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });

/** A simple reference implementation of RFC 5952: the first of the longest runs of two or more zero groups becomes `::`. */
function rfc5952(parts: readonly number[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (start + length < 8 && parts[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  const hex = parts.map((part) => part.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}

/** Same network bits, computed with big integers. */
function masked(parts: readonly number[], length: number): string {
  const whole = parts.reduce((value, part) => (value << 16n) | BigInt(part), 0n);
  const networkBits = (whole >> BigInt(128 - length)) << BigInt(128 - length);
  return rfc5952(parts.map((_, index) => Number((networkBits >> BigInt(112 - 16 * index)) & 0xffffn)));
}

describe('normalizeAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['  203.0.113.7 ', '203.0.113.7'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['2001:DB8::0042', '2001:db8::42'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:1:0:0:1:1:1', '::1:0:0:1:1:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['::192.0.2.1', '::c000:201'],
  ])('normalizes %s to %s', (text, normal) => {
    expect(normalizeAddress(text)).toBe(normal);
  });

  it.each([
    ['leading zeros', '01.2.3.4'],
    ['leading zeros in a mapped address', '::ffff:01.2.3.4'],
    ['hexadecimal', '0x1.2.3.4'],
    ['hexadecimal in a mapped address', '::ffff:0x1.2.3.4'],
    ['three parts', '1.2.3'],
    ['five parts', '1.2.3.4.5'],
    ['a number', '16909060'],
    ['a part over 255', '256.1.1.1'],
    ['a mapped part over 255', '::ffff:256.1.1.1'],
    ['a sign', '1.2.3.-4'],
    ['digits of another script', '１.2.3.4'],
    ['a zone id', 'fe80::1%eth0'],
    ['a port', '1.2.3.4:80'],
    ['brackets', '[::1]'],
    ['two compressions', '1::2::3'],
    ['three colons', ':::'],
    ['nine groups', '1:2:3:4:5:6:7:8:9'],
    ['seven groups', '1:2:3:4:5:6:7'],
    ['five hexadecimal digits', '12345::'],
    ['a network', '10.0.0.0/8'],
    ['a name', 'localhost'],
    ['two addresses', '1.2.3.4, 5.6.7.8'],
    ['empty text', ''],
    ['very long text', `${'0:'.repeat(40_000)}1`],
  ])('returns null for %s', (_, text) => {
    expect(normalizeAddress(text)).toBeNull();
  });

  it('writes IPv6 in the RFC 5952 form for every accepted notation', () => {
    fc.assert(
      fc.property(groups, fc.boolean(), (parts, padded) => {
        fc.pre(!(parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff));
        const text = parts.map((part) => part.toString(16).padStart(padded ? 4 : 1, '0')).join(':');
        expect(normalizeAddress(text)).toBe(rfc5952(parts));
        expect(normalizeAddress(text.toUpperCase())).toBe(rfc5952(parts));
        expect(normalizeAddress(rfc5952(parts))).toBe(rfc5952(parts));
      }),
    );
  });

  it('leaves IPv4 unchanged', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(normalizeAddress(text)).toBe(text);
        expect(normalizeAddress(`::ffff:${text}`)).toBe(text);
      }),
    );
  });
});

describe('maskAddress', () => {
  it.each([
    ['203.0.113.255', 24, '203.0.113.0'],
    ['203.0.113.255', 25, '203.0.113.128'],
    ['203.0.113.255', 32, '203.0.113.255'],
    ['203.0.113.255', 8, '203.0.0.0'],
    ['2001:db8:1:2:3:4:5:6', 64, '2001:db8:1:2::'],
    ['2001:db8:1:2:3:4:5:6', 65, '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff:4:5:6', 65, '2001:db8:1:2:8000::'],
    ['2001:db8:1:2:3:4:5:6', 16, '2001::'],
  ])('masks %s to %i bits as %s', (address, length, network) => {
    expect(maskAddress(address, length)).toBe(network);
  });

  it('returns null for a prefix longer than the address family allows and for invalid addresses', () => {
    expect(maskAddress('203.0.113.7', 33)).toBeNull();
    expect(maskAddress('203.0.113.7', 64)).toBeNull();
    expect(maskAddress('nowhere', 8)).toBeNull();
  });

  it('clears exactly the host bits of any IPv6 address', () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 16, max: 128 }), (parts, length) => {
        fc.pre(!masked(parts, length).startsWith('::ffff:') && !rfc5952(parts).startsWith('::ffff:'));
        expect(maskAddress(rfc5952(parts), length)).toBe(masked(parts, length));
      }),
    );
  });
});

describe('parseNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', 32],
    ['203.0.113.7/32', '203.0.113.7', 32],
    ['203.0.113.7/24', '203.0.113.0', 24],
    ['10.1.2.3/8', '10.0.0.0', 8],
    [' 10.1.2.3/8 ', '10.0.0.0', 8],
    ['2001:db8::7', '2001:db8::7', 128],
    ['2001:DB8:0::7/64', '2001:db8::', 64],
    ['2001:db8::7/16', '2001::', 16],
    ['::ffff:203.0.113.7', '203.0.113.7', 32],
    ['::ffff:203.0.113.7/24', '203.0.113.0', 24],
  ])('parses %s as %s/%i', (text, address, prefixLength) => {
    expect(parseNetwork(text)).toEqual({ address, prefixLength });
  });

  it.each([
    '10.0.0.0/7',
    '10.0.0.0/33',
    '2001:db8::/15',
    '2001:db8::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-8',
    '10.0.0.0/8.0',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/1e1',
    '/8',
    '010.0.0.0/8',
    'fe80::1%eth0/64',
    '',
    'example.com',
  ])('returns null for %j', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });
});

describe('anonymousKey', () => {
  it('returns the IPv4 address, the /64 network of an IPv6 address, and one shared key without an address', () => {
    expect(anonymousKey('203.0.113.7')).toBe('203.0.113.7');
    expect(anonymousKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(anonymousKey(normalizeAddress('2001:db8:1:2:ffff::1'))).toBe('2001:db8:1:2::/64');
    expect(anonymousKey('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(anonymousKey(null)).toBe('unknown');
  });
});

describe('siteKey', () => {
  it('returns the /48 network of an IPv6 address', () => {
    expect(siteKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
    expect(siteKey(normalizeAddress('2001:0DB8:0001:ffff::1'))).toBe('2001:db8:1::/48');
  });

  it.each([['203.0.113.7'], [normalizeAddress('::ffff:203.0.113.7')], [null]])('returns null for %s', (address) => {
    expect(siteKey(address)).toBeNull();
  });
});
