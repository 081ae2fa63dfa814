import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDue, nextPeriodAt, scheduleText } from '../../../src/platform/durable/schedule/job.ts';

const HOURLY = { everySeconds: 3600 };
/** Daily at 11:00 UTC. */
const DAILY = { everySeconds: 86_400, offsetSeconds: 39_600 };
const DAY = 1_773_100_800;

describe('isDue', () => {
  it.each([
    ['never run', HOURLY, null, DAY, true],
    ['in the same hour', HOURLY, DAY, DAY + 3599, false],
    ['at the turn of the hour', HOURLY, DAY + 3599, DAY + 3600, true],
    ['run in the same tick', HOURLY, DAY, DAY, false],
    ['after days without a tick', HOURLY, DAY - 5 * 86_400, DAY, true],
    ['the second before the daily hour', DAILY, DAY, DAY + 39_599, false],
    ['at the daily hour', DAILY, DAY, DAY + 39_600, true],
    ['later the same day', DAILY, DAY + 39_600, DAY + 86_400 + 39_599, false],
    ['a tick that comes late, after a newer one', HOURLY, DAY + 3600, DAY + 3540, false],
  ])('decides whether a job is due: %s', (_, schedule, lastRunAt, now, expected) => {
    expect(isDue(schedule, lastRunAt, now)).toBe(expected);
  });

  it('evaluates the additional condition of a job', () => {
    const onEvenHours = { everySeconds: 3600, when: (now: number) => Math.floor(now / 3600) % 2 === 0 };
    expect(isDue(onEvenHours, null, DAY)).toBe(true);
    expect(isDue(onEvenHours, null, DAY + 3600)).toBe(false);
  });

  it('makes up for a missed period whose condition was true, once', () => {
    const atEleven = { everySeconds: 3600, when: (now: number) => Math.floor(now / 3600) % 24 === 11 };
    const eleven = DAY + 11 * 3600;
    expect(isDue(atEleven, eleven - 86_400, eleven - 3600)).toBe(false);
    expect(isDue(atEleven, eleven - 86_400, eleven + 4 * 3600)).toBe(true);
    expect(isDue(atEleven, eleven + 4 * 3600, eleven + 5 * 3600)).toBe(false);
  });

  it('runs once per period on a steady tick and catches up once after a pause', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 100_000 }),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 50 }),
        (everySeconds, offsetSeconds, pausedTicks) => {
          const schedule = { everySeconds, offsetSeconds };
          let lastRunAt: number | null = null;
          const runs: number[] = [];
          const tick = (now: number) => {
            if (!isDue(schedule, lastRunAt, now)) return;
            runs.push(now);
            lastRunAt = now;
          };
          for (let minute = 0; minute < 50; minute += 1) tick(DAY + minute * 60);
          const before = runs.length;
          const resumedAt = DAY + (50 + pausedTicks) * 60;
          tick(resumedAt);
          expect(runs.length - before).toBeLessThanOrEqual(1);
          const periods = runs.map((at) => Math.floor((at - offsetSeconds) / everySeconds));
          expect(new Set(periods).size).toBe(periods.length);
          expect(periods).toEqual(periods.toSorted((one, other) => one - other));
        },
      ),
    );
  });
});

describe('nextPeriodAt', () => {
  it.each([
    [HOURLY, DAY, DAY + 3600],
    [HOURLY, DAY + 3599, DAY + 3600],
    [DAILY, DAY, DAY + 39_600],
    [DAILY, DAY + 39_600, DAY + 86_400 + 39_600],
  ])('returns a later instant at the start of a period: %s', (schedule, now, expected) => {
    expect(nextPeriodAt(schedule, now)).toBe(expected);
    expect(isDue(schedule, now, expected)).toBe(true);
    expect(isDue(schedule, now, expected - 1)).toBe(false);
  });
});

it('describes the schedule in English', () => {
  expect(scheduleText(HOURLY)).toBe('every 3600 s');
  expect(scheduleText({ ...DAILY, text: 'daily at 11:00 UTC' })).toBe('daily at 11:00 UTC');
});
