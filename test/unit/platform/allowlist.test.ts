import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAllowlist, isOnAllowlist, MAX_ALLOWLIST_ENTRIES } from '../../../src/platform/access/tokens/token-decision.ts';

const SALT = 'c2FsdHNhbHRzYWx0c2FsdA';

describe('createAllowlist', () => {
  it('stores a keyed hash and the prefix length, never the address', () => {
    const entries = createAllowlist(['203.0.113.7', '2001:db8::7/64'], SALT);
    expect(entries).toEqual([
      { prefixLength: 32, hash: createHmac('sha256', SALT).update('203.0.113.7/32').digest('hex') },
      { prefixLength: 64, hash: createHmac('sha256', SALT).update('2001:db8::/64').digest('hex') },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/203|2001|db8/);
  });

  it('hashes the same address differently with another salt', () => {
    const [one] = createAllowlist(['203.0.113.7'], SALT);
    const [other] = createAllowlist(['203.0.113.7'], 'another');
    expect(one?.hash).not.toBe(other?.hash);
  });

  it('drops blank entries and merges equal ones', () => {
    expect(createAllowlist(['', '  ', '\t'], SALT)).toEqual([]);
    expect(createAllowlist(['::1', '0:0:0:0:0:0:0:1', ' ::1/128 '], SALT)).toHaveLength(1);
    expect(createAllowlist(['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7/32'], SALT)).toHaveLength(1);
    expect(createAllowlist(['10.1.2.3/8', '10.9.9.9/8'], SALT)).toHaveLength(1);
    expect(createAllowlist(['10.0.0.0/8', '10.0.0.0/9'], SALT)).toHaveLength(2);
  });

  it('names the entry that is not a valid address', () => {
    expect(() => createAllowlist(['203.0.113.7', 'nowhere'], SALT)).toThrow(
      new RangeError('must be IP addresses or networks, not nowhere'),
    );
  });

  it('accepts 64 distinct entries and rejects the 65th', () => {
    const entries = Array.from({ length: MAX_ALLOWLIST_ENTRIES }, (_, index) => `10.0.0.${index}`);
    expect(MAX_ALLOWLIST_ENTRIES).toBe(64);
    expect(createAllowlist([...entries, ...entries, ''], SALT)).toHaveLength(64);
    expect(() => createAllowlist([...entries, '10.0.1.0'], SALT)).toThrow(RangeError);
  });
});

describe('isOnAllowlist', () => {
  const listed = (caller: string | null, ...entries: string[]) => isOnAllowlist(createAllowlist(entries, SALT), SALT, caller);

  it('admits every client when the list is empty, even without an address', () => {
    expect(listed('203.0.113.7')).toBe(true);
    expect(listed(null)).toBe(true);
  });

  it('admits the listed address only', () => {
    expect(listed('203.0.113.7', '203.0.113.7')).toBe(true);
    expect(listed('203.0.113.8', '203.0.113.7')).toBe(false);
    expect(listed('2001:db8::1', '203.0.113.7')).toBe(false);
    expect(listed('203.0.113.7', '198.51.100.1', '2001:db8::/32', '203.0.113.7')).toBe(true);
    expect(listed(null, '203.0.113.7')).toBe(false);
  });

  it('admits a network from its first to its last address', () => {
    for (const caller of ['203.0.112.0', '203.0.113.255']) expect(listed(caller, '203.0.113.7/23')).toBe(true);
    for (const caller of ['203.0.111.255', '203.0.114.0']) expect(listed(caller, '203.0.113.7/23')).toBe(false);
    expect(listed('2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64')).toBe(true);
    expect(listed('2001:db8:0:2::', '2001:db8:0:1::/64')).toBe(false);
  });

  it('never matches an IPv4 address with an IPv6 network or the reverse', () => {
    // Their first 24 bits agree.
    expect(listed('2001:db8::1', '32.1.13.0/24')).toBe(false);
    expect(listed('32.1.13.7', '2001:d00::/24')).toBe(false);
  });

  it('does not match with the salt of another token', () => {
    expect(isOnAllowlist(createAllowlist(['203.0.113.7'], 'another'), SALT, '203.0.113.7')).toBe(false);
  });
});
