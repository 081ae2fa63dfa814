import { describe, expect, it } from 'vitest';
import { jobsLostByOutage, OUTAGE_SECONDS, playCron } from '../../faults/cron-checks.ts';

const MINUTE = 60;
/** Sunday 2026-03-08 10:50 UTC: the game day Monday, of which some schedules know, begins a day later. */
const START = 1_772_967_000;
const DAY_MINUTES = 1440;

const minutes = (count: number, from = START) => Array.from({ length: count }, (_, index) => from + (index + 1) * MINUTE);

describe('cron of the declared jobs', () => {
  it('runs each job once per period when each minute fires on two isolates at once', async () => {
    expect(await playCron(minutes(20), START)).toEqual([]);
  });

  it('runs no job again for a minute that fires after a later one', async () => {
    const late = minutes(16).map((_, index, all) => all[index % 4 === 3 ? index - 3 : index + 1] ?? 0);
    expect(await playCron(late, START)).toEqual([]);
  });

  it('makes up for six hours without cron in the first minute after them', async () => {
    expect(await playCron([...minutes(3), ...minutes(3, START + OUTAGE_SECONDS)], START)).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('makes up for six hours without cron from any minute of day %i', (day) => {
    const lost = minutes(DAY_MINUTES, START + day * DAY_MINUTES * MINUTE).flatMap((from) => jobsLostByOutage(from));
    expect([...new Set(lost)]).toEqual([]);
  });
});
