import { describe, expect, it } from 'vitest';
import { ticksOf, tickText } from '../../../src/assets/ui/ticks.js';

const NOON = Date.parse('2026-11-22T12:10:00Z') / 1000;
const DAY = 86_400;
const textsOf = (seconds: number, offset = 0) =>
  ticksOf(NOON, NOON + seconds, () => offset).map((tick) => tickText({ ...tick, at: tick.at + offset }, 'UTC'));

describe('ticksOf', () => {
  it('has a date on each day of an axis of two days', () => {
    expect(textsOf(2 * DAY)).toEqual(['23 Nov', '12:00', '24 Nov', '12:00']);
  });

  it('has a date on the first tick of an axis of hours, and at midnight', () => {
    expect(textsOf(14 * 3600)).toEqual(['22 Nov, 15:00', '18:00', '21:00', '23 Nov']);
  });

  it('has whole days of the zone of the visitor on longer axes', () => {
    expect(textsOf(7 * DAY, 3600)).toEqual(['23 Nov', '25 Nov', '27 Nov', '29 Nov']);
    expect(ticksOf(NOON, NOON + 7 * DAY, () => 3600).map(({ at }) => (at + 3600) % DAY)).toEqual([0, 0, 0, 0]);
  });

  it('has months on an axis of a year, and years on an axis of many', () => {
    expect(textsOf(365 * DAY)).toEqual(['Jan 2027', 'Apr 2027', 'Jul 2027', 'Oct 2027']);
    expect(textsOf(9 * 365 * DAY)).toEqual(['Jan 2028', 'Jan 2031', 'Jan 2034']);
  });

  it.each([60, 3600, DAY, 40 * DAY, 400 * DAY, 40_000 * DAY])('has at most the requested number of ticks over %s seconds', (seconds) => {
    const ticks = ticksOf(NOON, NOON + seconds, () => 0, 4);
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect(ticks.every(({ at }) => at >= NOON && at <= NOON + seconds)).toBe(true);
  });
});
