import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addCharges,
  type Charge,
  isRefused,
  remainingOf,
  retryAfterSeconds,
  windowReset,
  windowStart,
  writeRateHeaders,
} from '../../../src/platform/access/limits/window.ts';

const rateLimit = { name: 'anon', limit: 30, windowSeconds: 60 };
const chargeAt = (used: number, now: number): Charge => ({ rateLimit, used, resetAt: windowReset(now, rateLimit.windowSeconds) });

describe('fixed windows', () => {
  it('aligns windows to the epoch, not to the first request', () => {
    expect(windowStart(1_718_200_000, 60)).toBe(1_718_199_960);
    expect(windowReset(1_718_200_000, 60)).toBe(1_718_200_020);
    expect(windowStart(1_718_199_960, 60)).toBe(1_718_199_960);
    expect(windowReset(1_718_200_019, 60)).toBe(1_718_200_020);
    expect(windowStart(1_718_200_020, 60)).toBe(1_718_200_020);
    expect(windowStart(1_773_156_600, 86_400)).toBe(1_773_100_800);
  });

  it('assigns each instant to exactly one window, also before the epoch', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5_000_000_000, max: 5_000_000_000 }), fc.integer({ min: 1, max: 86_400 }), (now, length) => {
        const start = windowStart(now, length);
        expect(start).toBeLessThanOrEqual(now);
        expect(windowReset(now, length)).toBeGreaterThan(now);
        expect(windowReset(now, length) - start).toBe(length);
        expect(windowStart(start, length)).toBe(start);
      }),
    );
  });

  it('admits up to the limit and never reports negative remaining requests', () => {
    expect([1, 29, 30, 31, 500].map((used) => [isRefused(chargeAt(used, 0)), remainingOf(chargeAt(used, 0))])).toEqual([
      [false, 29],
      [false, 1],
      [false, 0],
      [true, 0],
      [true, 0],
    ]);
  });
});

describe('retryAfterSeconds', () => {
  it('returns 20 for the example of the specification', () => {
    expect(retryAfterSeconds(windowReset(1_718_200_000, 60), 1_718_200_000)).toBe(20);
  });

  it('rounds up to at least 1 s', () => {
    expect(retryAfterSeconds(100, 98.1)).toBe(2);
    expect(retryAfterSeconds(100, 99)).toBe(1);
    expect(retryAfterSeconds(100, 99.999)).toBe(1);
    expect(retryAfterSeconds(100, 100)).toBe(1);
    expect(retryAfterSeconds(100, 105)).toBe(1);
  });
});

describe('writeRateHeaders', () => {
  it('writes RateLimit and X-RateLimit headers from the same bucket', () => {
    const headers: Record<string, string> = {};
    writeRateHeaders(headers, [chargeAt(3, 1_718_200_000)], 1_718_200_000);
    expect(headers).toEqual({
      'X-RateLimit-Limit': '30',
      'X-RateLimit-Remaining': '27',
      'X-RateLimit-Reset': '1718200020',
      'RateLimit-Policy': '"anon";q=30;w=60',
      RateLimit: '"anon";r=27;t=20',
    });
  });

  it('writes 0 remaining requests for a refused request', () => {
    const headers: Record<string, string> = {};
    writeRateHeaders(headers, [chargeAt(31, 1_718_200_019)], 1_718_200_019);
    expect(headers['X-RateLimit-Remaining']).toBe('0');
    expect(headers.RateLimit).toBe('"anon";r=0;t=1');
  });

  it('writes every charge, and X-RateLimit headers of the one that refused the request or has the least left', () => {
    const ocr = { name: 'ocr', limit: 10, windowSeconds: 60 };
    const write = (used: number, ocrUsed: number) => {
      const headers: Record<string, string> = {};
      writeRateHeaders(headers, [chargeAt(used, 0), { rateLimit: ocr, used: ocrUsed, resetAt: 60 }], 0);
      return [headers['X-RateLimit-Limit'], headers['X-RateLimit-Remaining'], headers.RateLimit];
    };
    expect(write(3, 1)).toEqual(['10', '9', '"anon";r=27;t=60, "ocr";r=9;t=60']);
    expect(write(25, 5)).toEqual(['30', '5', '"anon";r=5;t=60, "ocr";r=5;t=60']);
    expect(write(30, 11)).toEqual(['10', '0', '"anon";r=0;t=60, "ocr";r=0;t=60']);
  });

  it('writes nothing without a charge', () => {
    const headers: Record<string, string> = {};
    writeRateHeaders(headers, [], 0);
    expect(headers).toEqual({});
  });
});

describe('addCharges', () => {
  it('replaces the charge of the same rate limit and keeps the order', () => {
    const other = { ...chargeAt(1, 0), rateLimit: { ...rateLimit, name: 'other' } };
    expect(addCharges([chargeAt(1, 0), other], [chargeAt(2, 0)])).toEqual([chargeAt(2, 0), other]);
  });
});
