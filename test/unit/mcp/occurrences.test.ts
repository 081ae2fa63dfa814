import { describe, expect, it } from 'vitest';
import { occurrencesOf, type SnapshotParts } from '../../../src/areas/mcp/tools/occurrences.domain.ts';
import { WEEKDAYS } from '../../../src/platform/kit/time/clock.ts';

const DAY = 86_400;
const NOW = 1000;
const RESET = 2000;
const bonus = (name: string, weekday: string) => ({ name, weekday, normal_buffs: [`effect of ${name}`], premium_buffs: [] });
const week = WEEKDAYS.map((day) => bonus(`${day} bonus`, day));
const daily = { current: bonus('Wednesday bonus', 'Wednesday'), week };
const PARTS: SnapshotParts = {
  'server-time': { daily_reset_at: RESET, weekly_reset_at: RESET + 3 * DAY },
  'daily-buffs': daily,
  'weekly-buffs': { current: { name: 'B', buffs: [] }, rotation: ['A', 'B', 'C', 'D'].map((name) => ({ name, buffs: ['x'] })) },
};

describe('occurrencesOf', () => {
  it('lists each daily bonus once, starting with the active one', () => {
    const occurrences = occurrencesOf('daily_bonus', PARTS, NOW);
    expect(occurrences.map(({ text }) => text.split(' ', 1)[0])).toEqual([
      ...['Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday'],
    ]);
    expect(occurrences[0]).toMatchObject({ startsAt: RESET - DAY, endsAt: RESET });
    expect(occurrences[6]).toMatchObject({ startsAt: RESET + 5 * DAY, endsAt: RESET + 6 * DAY });
  });

  it('lists each weekly bonus once, in rotation order', () => {
    const occurrences = occurrencesOf('weekly_bonus', PARTS, NOW);
    expect(occurrences.map(({ text, startsAt }) => [text, (startsAt - RESET - 3 * DAY) / (7 * DAY)])).toEqual([
      ['B: x', -1],
      ['C: x', 0],
      ['D: x', 1],
      ['A: x', 2],
    ]);
  });

  it('omits past windows and duplicates', () => {
    const window = (name: string, starts: number) => ({ name, starts_at: starts, ends_at: starts + 100 });
    const two = window('2-day plants', 950);
    const gardening = { two_day: two, three_day: window('3-day plants', 100), upcoming: [two, window('3-day plants', 1500)] };
    expect(occurrencesOf('gardening', { gardening }, NOW).map(({ startsAt }) => startsAt)).toEqual([950, 1500]);
  });

  it.each([
    ['a Thursday', Date.UTC(2026, 2, 12, 15), [60, 120, 180]],
    ['the game day Friday', Date.UTC(2026, 2, 13, 15, 30), [30, 60, 90]],
    ['the last hour before the game day Friday', Date.UTC(2026, 2, 13, 10), [60, 90, 120]],
    ['the last half hour of the game day Friday', Date.UTC(2026, 2, 14, 10, 30), [30, 90, 150]],
  ])('starts the challenges after the current one at the steps of %s', (_, milliseconds, minutes) => {
    const startsAt = milliseconds / 1000;
    const window = { starts_at: startsAt, ends_at: startsAt + 1200, active: true, name: 'Racing Challenge', type: 'racing' };
    const [current, ...upcoming] = occurrencesOf('challenge', { 'challenge/current': window }, startsAt + 60);
    expect(current).toEqual({ text: 'Challenge: Racing Challenge', startsAt, endsAt: startsAt + 1200 });
    expect(upcoming.slice(0, 3).map((next) => (next.startsAt - startsAt) / 60)).toEqual(minutes);
    expect(upcoming.map(({ startsAt: start, endsAt }) => (endsAt ?? 0) - start)).toEqual(upcoming.map(() => 1200));
  });

  it('returns an empty list for a rotation that is switched off', () => {
    for (const topic of ['corruxion', 'biome', 'daily_bonus', 'challenge', 'daily_reset'] as const) {
      expect(occurrencesOf(topic, { biomes: null }, NOW)).toEqual([]);
    }
  });
});
