import { describe, expect, it } from 'vitest';
import {
  createAllowlist,
  decideAfterCharge,
  decideBeforeCharge,
  type TokenDemand,
  type TokenRecord,
} from '../../../src/platform/access/tokens/token-decision.ts';

const NOW = 1_773_156_600;
const SALT = 'salt';
const HOME = '203.0.113.7';
const AWAY = '198.51.100.1';

function record(more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: 't1',
    userId: 'u1',
    hashedToken: 'a'.repeat(64),
    previousHash: null,
    previousUntil: null,
    name: 'test',
    prefix: 'gda_01234567',
    scopes: 1,
    ipSalt: SALT,
    allowlist: createAllowlist([HOME], SALT),
    revoked: false,
    expiresAt: null,
    ownerIsActive: true,
    ownerIsSuperuser: false,
    ...more,
  };
}

const demands: TokenDemand[] = [
  { kind: 'public', scopes: 1 },
  { kind: 'token', scopes: 1 },
  { kind: 'master' },
  { kind: 'admin' },
  { kind: 'any' },
];

describe('decideBeforeCharge', () => {
  it.each(demands)('refuses an unusable token: $kind', (demand) => {
    for (const token of [null, record({ revoked: true }), record({ ownerIsActive: false }), record({ revoked: true, scopes: 2 })]) {
      expect(decideBeforeCharge(token, demand, HOME, NOW)).toBe('unauthenticated');
    }
  });

  it('accepts a token through the second it expires at', () => {
    const token = record({ expiresAt: NOW });
    expect(decideBeforeCharge(token, { kind: 'any' }, HOME, NOW)).toBe('charge');
    expect(decideBeforeCharge(token, { kind: 'any' }, HOME, NOW + 1)).toBe('expired');
  });

  it.each(demands)('checks the address of the client: $kind', (demand) => {
    expect(decideBeforeCharge(record(), demand, HOME, NOW)).toBe('charge');
    expect(decideBeforeCharge(record(), demand, AWAY, NOW)).toBe('ip_not_allowed');
    expect(decideBeforeCharge(record(), demand, null, NOW)).toBe('ip_not_allowed');
    expect(decideBeforeCharge(record({ allowlist: [] }), demand, null, NOW)).toBe('charge');
  });

  it('treats a token without the scope of a public endpoint as anonymous, from any address', () => {
    const demand: TokenDemand = { kind: 'public', scopes: 2 };
    expect(decideBeforeCharge(record(), demand, HOME, NOW)).toBe('anonymous');
    expect(decideBeforeCharge(record(), demand, AWAY, NOW)).toBe('anonymous');
    expect(decideBeforeCharge(record({ scopes: 0 }), demand, HOME, NOW)).toBe('charge');
  });

  it('requires all scopes of an endpoint with several', () => {
    const demand: TokenDemand = { kind: 'public', scopes: 3 };
    expect(decideBeforeCharge(record({ scopes: 1 }), demand, HOME, NOW)).toBe('anonymous');
    expect(decideBeforeCharge(record({ scopes: 3 }), demand, HOME, NOW)).toBe('charge');
  });

  it('checks the address before the scope of a token endpoint', () => {
    expect(decideBeforeCharge(record({ scopes: 2 }), { kind: 'token', scopes: 1 }, AWAY, NOW)).toBe('ip_not_allowed');
    expect(decideBeforeCharge(record({ scopes: 2 }), { kind: 'token', scopes: 1 }, HOME, NOW)).toBe('charge');
  });
});

describe('decideAfterCharge', () => {
  it('refuses a missing scope on token endpoints', () => {
    expect(decideAfterCharge(record({ scopes: 2 }), { kind: 'token', scopes: 1 })).toBe('insufficient_scope');
    expect(decideAfterCharge(record({ scopes: 3 }), { kind: 'token', scopes: 1 })).toBe('admitted');
    expect(decideAfterCharge(record({ scopes: 0 }), { kind: 'token', scopes: 1 })).toBe('admitted');
  });

  it('refuses the token of an ordinary account on master endpoints, regardless of its scopes', () => {
    expect(decideAfterCharge(record({ scopes: 0 }), { kind: 'master' })).toBe('forbidden');
    expect(decideAfterCharge(record({ scopes: 2, ownerIsSuperuser: true }), { kind: 'master' })).toBe('admitted');
  });

  it('requires a superuser and every scope on admin endpoints', () => {
    expect(decideAfterCharge(record({ scopes: 0 }), { kind: 'admin' })).toBe('forbidden');
    expect(decideAfterCharge(record({ scopes: 32_767, ownerIsSuperuser: true }), { kind: 'admin' })).toBe('forbidden');
    expect(decideAfterCharge(record({ scopes: 0, ownerIsSuperuser: true }), { kind: 'admin' })).toBe('admitted');
  });
});
