import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  floorDiv,
  floorMod,
  gameDayNumber,
  gameDayStart,
  gameWeekdayIndex,
  toIso,
  WEEKDAYS,
} from '../../../src/platform/kit/time/clock.ts';

const weekdayAt = (iso: string) => WEEKDAYS[gameWeekdayIndex(Date.parse(iso) / 1000)];

describe('floorDiv and floorMod', () => {
  it('rounds down for instants before an anchor', () => {
    expect([floorDiv(-1, 60), floorMod(-1, 60)]).toEqual([-1, 59]);
    expect([floorDiv(-60, 60), floorMod(-60, 60)]).toEqual([-1, 0]);
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1_000_000 }), (dividend, divisor) => {
        expect(floorDiv(dividend, divisor) * divisor + floorMod(dividend, divisor)).toBe(dividend);
        expect(floorMod(dividend, divisor)).toBeGreaterThanOrEqual(0);
        expect(floorMod(dividend, divisor)).toBeLessThan(divisor);
      }),
    );
  });
});

describe('game calendar', () => {
  it('starts a new day at 11:00 UTC all year, across leap days and year ends', () => {
    expect(weekdayAt('2026-03-10T10:59:59Z')).toBe('Monday');
    expect(weekdayAt('2026-03-10T11:00:00Z')).toBe('Tuesday');
    expect(weekdayAt('2024-02-29T10:59:59Z')).toBe('Wednesday');
    expect(weekdayAt('2024-02-29T11:00:00Z')).toBe('Thursday');
    expect(weekdayAt('2026-01-01T10:59:59Z')).toBe('Wednesday');
    expect(weekdayAt('2026-07-01T11:00:00Z')).toBe('Wednesday');
    expect(weekdayAt('1970-01-01T11:00:00Z')).toBe('Thursday');
    expect(weekdayAt('1969-12-31T11:00:00Z')).toBe('Wednesday');
  });

  it('starts every game day at 11:00:00 UTC', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000_000_000, max: 4_133_980_799 }), (now) => {
        const start = gameDayStart(now);
        expect(new Date(start * 1000).toISOString()).toContain('T11:00:00.000Z');
        expect(now - start).toBeGreaterThanOrEqual(0);
        expect(now - start).toBeLessThan(86_400);
        expect(gameDayNumber(start)).toBe(gameDayNumber(now));
        expect(gameDayNumber(start - 1)).toBe(gameDayNumber(now) - 1);
      }),
    );
  });
});

describe('toIso', () => {
  it('writes UTC with milliseconds and Z', () => {
    expect(toIso(1_773_156_600)).toBe('2026-03-10T15:30:00.000Z');
    expect(toIso(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});
