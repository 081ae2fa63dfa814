import { describe, expect, it } from 'vitest';
import { mailAddressFault } from '../../../src/platform/kit/values/mail-address.domain.ts';

describe('mailAddressFault', () => {
  it.each([
    'ada@example.com',
    'user@xn--h1alffa9f.xn--p1ai',
    'me/you@example.com',
    'a&b@example.com',
    'x=y@example.com',
    'x!y@example.com',
    'a~b@example.com',
    'a#b@example.com',
    "o'hara+tag_1%x{y}|z^w`v?u*@example.co.uk",
    'a@1.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.example`,
    `${'a'.repeat(64)}@${`${'b'.repeat(63)}.`.repeat(2)}${'c'.repeat(61)}`,
  ])('accepts %s', (address) => {
    expect(mailAddressFault(address)).toBeNull();
  });

  it.each([
    ['', /such as/],
    ['ada', /such as/],
    ['@example.com', /such as/],
    ['ada@', /dot in the domain/],
    ['ada@localhost', /dot in the domain/],
    ['ada@example..com', /domain name/],
    ['ada@-example.com', /domain name/],
    ['ada@example-.com', /domain name/],
    ['ada@exa_mple.com', /domain name/],
    [`ada@${'b'.repeat(64)}.example`, /domain name/],
    ['ada@[192.0.2.1]', /domain name/],
    ['.ada@example.com', /dot/],
    ['ada.@example.com', /dot/],
    ['a..b@example.com', /two in a row/],
    ['a b@example.com', /character before/],
    ['"a b"@example.com', /character before/],
    ['a@b@example.com', /character before/],
    ['a,b@example.com', /character before/],
    ['дмитрий@example.com', /ASCII characters before the @/],
    ['ada@пример.рф', /domain in ASCII/],
    ['ada@example.com\r\nBcc: b@example.com', /ASCII characters before/],
    [`${'a'.repeat(65)}@example.com`, /at most 64/],
    [`${'a'.repeat(64)}@${`${'b'.repeat(63)}.`.repeat(2)}${'c'.repeat(62)}`, /at most 254/],
  ])('refuses %j', (address, fault) => {
    expect(mailAddressFault(address)).toMatch(fault);
  });
});
