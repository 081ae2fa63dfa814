import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverTimeAt } from '../../../../src/areas/rotations/schedules/cycle.domain.ts';
import { resetRules } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;
const day = 86_400;

describe('serverTimeAt', () => {
  it.each([
    ['2026-03-10T10:59:59Z', 'Monday', '2026-03-10T11:00:00Z'],
    ['2026-03-10T11:00:00Z', 'Tuesday', '2026-03-11T11:00:00Z'],
    ['2026-03-10T11:00:01Z', 'Tuesday', '2026-03-11T11:00:00Z'],
    ['2025-12-31T23:59:59Z', 'Wednesday', '2026-01-01T11:00:00Z'],
    ['2026-01-01T11:00:00Z', 'Thursday', '2026-01-02T11:00:00Z'],
    ['2028-02-29T10:59:59Z', 'Monday', '2028-02-29T11:00:00Z'],
    ['2028-02-29T11:00:00Z', 'Tuesday', '2028-03-01T11:00:00Z'],
    ['1969-12-31T12:00:00Z', 'Wednesday', '1970-01-01T11:00:00Z'],
    ['1970-01-01T11:00:00Z', 'Thursday', '1970-01-02T11:00:00Z'],
  ])('returns at %s the game day %s and the daily reset at %s', (now, gameDay, dailyResetAt) => {
    expect(serverTimeAt(unix(now), resetRules)).toMatchObject({ game_day: gameDay, daily_reset_at: unix(dailyResetAt) });
  });

  it.each([
    ['2026-03-09T10:59:59Z', '2026-03-09T11:00:00Z'],
    ['2026-03-09T11:00:00Z', '2026-03-16T11:00:00Z'],
    ['2026-03-10T11:00:00Z', '2026-03-16T11:00:00Z'],
    ['2019-12-31T00:00:00Z', '2020-01-06T11:00:00Z'],
  ])('returns at %s the weekly reset on Monday %s', (now, weeklyResetAt) => {
    expect(serverTimeAt(unix(now), resetRules).weekly_reset_at).toBe(unix(weeklyResetAt));
  });

  it('returns resets strictly in the future, within a day and a week, at 11:00:00 UTC', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000_000_000, max: 8_000_000_000 }), (now) => {
        const { daily_reset_at: dailyResetAt, weekly_reset_at: weeklyResetAt } = serverTimeAt(now, resetRules);
        expect(dailyResetAt).toBeGreaterThan(now);
        expect(dailyResetAt - now).toBeLessThanOrEqual(day);
        expect(weeklyResetAt).toBeGreaterThan(now);
        expect(weeklyResetAt - now).toBeLessThanOrEqual(7 * day);
        expect(new Date(dailyResetAt * 1000).toISOString()).toContain('T11:00:00.000Z');
        expect(new Date(weeklyResetAt * 1000).toISOString()).toContain('T11:00:00.000Z');
        expect(new Date(weeklyResetAt * 1000).getUTCDay()).toBe(1);
      }),
    );
  });
});
