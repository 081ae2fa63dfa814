import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  corruxionAt,
  corruxionNextChangeAt,
  fluxionAt,
  fluxionNextChangeAt,
} from '../../../../src/areas/rotations/schedules/computed.domain.ts';
import { corruxionRules, fluxionRules } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const day = 86_400;
const anyInstant = fc.integer({ min: -2_000_000_000, max: 6_000_000_000 });

function expectConsistent(now: number, timer: ReturnType<typeof corruxionAt>, visitEverySeconds: number) {
  const { starts_at: startsAt, ends_at: endsAt, active, seconds_remaining: secondsRemaining, schedule } = timer;
  expect(active).toBe(startsAt <= now && now < endsAt);
  expect(endsAt).toBeGreaterThan(now);
  expect(secondsRemaining).toBe(active ? endsAt - now : startsAt - now);
  expect(secondsRemaining).toBeGreaterThan(0);
  expect(schedule).toHaveLength(8);
  schedule.forEach((visit, position) => {
    expect(visit.starts_at).toBe(startsAt + position * visitEverySeconds);
    expect(visit.ends_at - visit.starts_at).toBe(3 * day);
  });
}

describe('corruxionAt', () => {
  const arrival = corruxionRules.cycle.anchorAt;
  const at = (now: number) => corruxionAt(now, corruxionRules);

  it.each([
    ['the last second away', arrival - 1, false, 1],
    ['the arrival', arrival, true, 259_200],
    ['the last second of the visit', arrival + 259_199, true, 1],
    ['the departure', arrival + 259_200, false, 950_400],
    ['the arrival a fortnight earlier', arrival - 14 * day, true, 259_200],
  ])('counts down at %s', (_moment, now, active, secondsRemaining) => {
    expect(at(now)).toMatchObject({ active, seconds_remaining: secondsRemaining });
  });

  it('arrives on a Friday at 11:00 UTC', () => {
    expect(new Date(at(0).starts_at * 1000).toUTCString()).toMatch(/^Fri.*11:00:00 GMT$/);
  });

  it('returns schedule items without a state', () => {
    expect(Object.keys(at(arrival).schedule[0] ?? {}).sort()).toEqual(['ends_at', 'starts_at']);
  });

  it('is consistent at any time', () => {
    fc.assert(fc.property(anyInstant, (now) => expectConsistent(now, at(now), 14 * day)));
  });

  it('changes when it leaves or arrives', () => {
    expect(corruxionNextChangeAt(arrival - 1, corruxionRules)).toBe(arrival);
    expect(corruxionNextChangeAt(arrival, corruxionRules)).toBe(arrival + 3 * day);
    expect(corruxionNextChangeAt(arrival + 3 * day, corruxionRules)).toBe(arrival + 14 * day);
  });
});

describe('fluxionAt', () => {
  const voting = fluxionRules.cycle.anchorAt;
  const at = (now: number) => fluxionAt(now, fluxionRules);

  it.each([
    [0, 'voting', 259_200],
    [259_199, 'voting', 259_200],
    [259_200, 'away', 604_800],
    [604_799, 'away', 604_800],
    [604_800, 'selling', 864_000],
    [863_999, 'selling', 864_000],
    [864_000, 'away', 1_209_600],
    [1_209_599, 'away', 1_209_600],
    [1_209_600, 'voting', 1_468_800],
    [-1, 'away', 0],
    [-604_800, 'selling', -345_600],
  ])('returns at second %i of the 14-day cycle %s until second %i', (second, state, until) => {
    expect(at(voting + second).state).toBe(state);
    expect(fluxionNextChangeAt(voting + second, fluxionRules)).toBe(voting + until);
  });

  it('returns the next window while away', () => {
    const away = at(voting + 300_000);
    expect(away).toMatchObject({ active: false, state: 'away', starts_at: voting + 604_800, ends_at: voting + 864_000 });
    expect(away.schedule[0]).toEqual({ starts_at: voting + 604_800, ends_at: voting + 864_000, state: 'selling' });
  });

  it('is consistent at any time, with alternating schedule states', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const timer = at(now);
        expectConsistent(now, timer, 7 * day);
        const first = timer.schedule[0]?.state;
        expect(timer.state).toBe(timer.active ? first : 'away');
        const other = first === 'voting' ? 'selling' : 'voting';
        expect(timer.schedule.map((visit) => visit.state)).toEqual([first, other, first, other, first, other, first, other]);
      }),
    );
  });
});
