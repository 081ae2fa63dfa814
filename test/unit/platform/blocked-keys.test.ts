import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BlockedKeys, type Charge, windowReset } from '../../../src/platform/access/limits/window.ts';

const NOW = 1_718_200_000;
const rateLimit = { name: 'anon', limit: 30, windowSeconds: 60 };
const refusal: Charge = { rateLimit, used: 31, resetAt: windowReset(NOW, 60) };

describe('BlockedKeys', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns the refusal until the window ends', () => {
    const blocked = new BlockedKeys();
    blocked.add('a', refusal);
    expect(blocked.find('a', rateLimit, NOW)).toBe(refusal);
    expect(blocked.find('a', rateLimit, NOW + 19)).toBe(refusal);
    expect(blocked.find('a', rateLimit, NOW + 20)).toBeUndefined();
    expect(blocked.find('b', rateLimit, NOW)).toBeUndefined();
  });

  it('does not block a request of an earlier window', () => {
    const blocked = new BlockedKeys();
    blocked.add('a', refusal);
    expect(blocked.find('a', rateLimit, NOW - 40)).toBe(refusal);
    expect(blocked.find('a', rateLimit, NOW - 41)).toBeUndefined();
    expect(blocked.find('a', rateLimit, NOW - 86_400)).toBeUndefined();
  });

  it('does not block after the limit or the window length changed', () => {
    const blocked = new BlockedKeys();
    blocked.add('a', refusal);
    expect(blocked.find('a', { ...rateLimit, limit: 31 }, NOW)).toBeUndefined();
    expect(blocked.find('a', { ...rateLimit, windowSeconds: 120 }, NOW)).toBeUndefined();
    expect(blocked.find('a', { ...rateLimit, name: 'renamed' }, NOW)).toBe(refusal);
  });

  it('expires after the maximum block duration, before the window ends', () => {
    const blocked = new BlockedKeys(1000);
    blocked.add('a', refusal);
    vi.advanceTimersByTime(999);
    expect(blocked.find('a', rateLimit, NOW)).toBe(refusal);
    vi.advanceTimersByTime(1);
    expect(blocked.find('a', rateLimit, NOW)).toBeUndefined();
  });
});
