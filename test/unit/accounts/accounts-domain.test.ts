import { describe, expect, it } from 'vitest';
import { MAX_KNOWN_DEVICES, REFRESH_GRACE_SECONDS } from '../../../src/areas/accounts/accounts.data.ts';
import { deviceLabel, isDisposable, normalizeEmail, rememberDevice } from '../../../src/areas/accounts/accounts.domain.ts';
import { DISPOSABLE_DOMAINS } from '../../../src/areas/accounts/disposable-domains.data.ts';
import { hashesOf, newRefreshToken, nextRefreshToken, refreshStatus } from '../../../src/areas/accounts/session.service.ts';

describe('normalizeEmail and isDisposable', () => {
  it('normalizes an email address', () => {
    expect(normalizeEmail('  Ada@Example.COM ')).toBe('ada@example.com');
  });

  it('detects disposable domains and their subdomains', () => {
    expect(DISPOSABLE_DOMAINS.size).toBe(69);
    for (const email of ['a@mailinator.com', 'a@x.mailinator.com', 'a@b.c.yopmail.fr']) expect(isDisposable(email)).toBe(true);
    for (const email of ['a@example.com', 'a@notmailinator.com', 'mailinator.com@example.com', 'a@com'])
      expect(isDisposable(email)).toBe(false);
  });
});

describe('deviceLabel and rememberDevice', () => {
  it.each([
    [{ client: 'Firefox 128', os: 'Windows 10/11' }, 'Firefox on Windows'],
    [{ client: 'Chrome 130', os: 'Android 14' }, 'Chrome on Android'],
    [{ client: 'curl 8', os: null }, 'curl'],
    [{ client: null, os: 'Linux' }, 'Linux'],
    [{ client: null, os: null }, null],
  ])('labels %j as %j', (labels, label) => {
    expect(deviceLabel(labels)).toBe(label);
  });

  it('reports an unseen device as new, except the first one of the account', () => {
    expect(rememberDevice([], 'A')).toEqual({ known: ['A'], isNew: false });
    expect(rememberDevice(['A'], 'A')).toEqual({ known: ['A'], isNew: false });
    expect(rememberDevice(['A'], null)).toEqual({ known: ['A', 'an unknown device'], isNew: true });
    const many = Array.from({ length: MAX_KNOWN_DEVICES }, (_, index) => String(index));
    expect(rememberDevice(many, 'A').known).toEqual([...many.slice(1), 'A']);
  });
});

describe('refresh token', () => {
  const NOW = 1_800_000_000;
  const first = newRefreshToken();
  const second = nextRefreshToken(first, 'key');
  const third = nextRefreshToken(second, 'key');
  const hashOf = (token: string) => hashesOf(token)?.refreshHash ?? '';
  const state = { refreshHash: hashOf(second), previousHash: hashOf(first), refreshedAt: NOW, expiresAt: NOW + 1000 };

  it('shares only the selector with the tokens before and after', () => {
    expect([first, second, third].map((token) => token.length)).toEqual([64, 64, 64]);
    expect(new Set([first, second, third].map((token) => hashesOf(token)?.selectorHash)).size).toBe(1);
    expect(new Set([first, second, third].map(hashOf)).size).toBe(3);
  });

  it('is derived from the previous token with the key', () => {
    expect(nextRefreshToken(first, 'key')).toBe(second);
    expect(nextRefreshToken(first, 'other')).not.toBe(second);
  });

  it('is classified as current, repeated within the grace period, stolen or expired', () => {
    expect(refreshStatus(state, hashOf(second), NOW + 999)).toBe('current');
    expect(refreshStatus(state, hashOf(first), NOW + REFRESH_GRACE_SECONDS)).toBe('repeat');
    expect(refreshStatus(state, hashOf(first), NOW + REFRESH_GRACE_SECONDS + 1)).toBe('stolen');
    expect(refreshStatus(state, hashOf(third), NOW)).toBe('stolen');
    expect(refreshStatus(state, hashOf(second), NOW + 1000)).toBe('expired');
  });

  it.each(['', 'x', `${first}x`, first.slice(1), `${first.slice(1)}.`])('is rejected as malformed: %j', (text) => {
    expect(hashesOf(text)).toBeNull();
  });
});
