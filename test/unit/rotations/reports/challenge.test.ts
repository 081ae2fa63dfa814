import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  challengeAt,
  challengeEndsAt,
  challengeNextChangeAt,
  challengeTypeOf,
  challengeWindowAt,
  isFridayWindowAt,
  nextChallengeStartAt,
} from '../../../../src/areas/rotations/schedules/reports.domain.ts';
import { challengeRules } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;
const windowAt = (now: number) => challengeWindowAt(now, challengeRules);
const anyInstant = fc.integer({ min: -2_000_000_000, max: 6_000_000_000 });

// 2026-03-13 is a Friday.
describe('challengeWindowAt', () => {
  it.each([
    ['Friday 10:45, still hourly', '2026-03-13T10:45:00Z', '2026-03-13T10:00:00Z', false],
    ['Friday 10:59:59', '2026-03-13T10:59:59Z', '2026-03-13T10:00:00Z', false],
    ['Friday 11:00:00', '2026-03-13T11:00:00Z', '2026-03-13T11:00:00Z', true],
    ['Friday 11:29:59', '2026-03-13T11:29:59Z', '2026-03-13T11:00:00Z', true],
    ['Friday 11:30:00', '2026-03-13T11:30:00Z', '2026-03-13T11:30:00Z', true],
    ['Saturday 10:55', '2026-03-14T10:55:00Z', '2026-03-14T10:30:00Z', true],
    ['Saturday 10:59:59', '2026-03-14T10:59:59Z', '2026-03-14T10:30:00Z', true],
    ['Saturday 11:00:00', '2026-03-14T11:00:00Z', '2026-03-14T11:00:00Z', false],
    ['Saturday 11:30, in the gap', '2026-03-14T11:30:00Z', '2026-03-14T11:00:00Z', false],
    ['a Thursday before 1970', '1969-12-25T23:59:59Z', '1969-12-25T23:00:00Z', false],
  ])('%s', (_moment, now, startsAt, isFridayWindow) => {
    expect(windowAt(unix(now))).toEqual({ starts_at: unix(startsAt), ends_at: unix(startsAt) + 1200, is_friday_window: isFridayWindow });
    expect(isFridayWindowAt(unix(now))).toBe(isFridayWindow);
  });

  it('never returns a window across an edge of the Friday window', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const window = windowAt(now);
        const next = nextChallengeStartAt(now, challengeRules);
        expect(window.starts_at).toBeLessThanOrEqual(now);
        expect(next).toBeGreaterThan(now);
        expect(windowAt(window.starts_at)).toEqual(window);
        expect(windowAt(next - 1)).toEqual(window);
        expect(windowAt(next).starts_at).toBe(next);
        expect(next - window.starts_at).toBe(window.is_friday_window ? 1800 : 3600);
        expect(challengeEndsAt(window.starts_at, challengeRules)).toBe(window.ends_at);
      }),
    );
  });
});

describe('challengeTypeOf', () => {
  it.each([
    ['Collection Challenge', 'collection'],
    ['RAMPAGE ALERT!', 'rampage'],
    ['Racing Challenge', 'racing'],
    ['Target Challenge', 'target'],
    [' Racing Challenge\n', 'racing'],
    ['RAMPAGE ALERT', 'dungeon'],
    ['Rampage', 'dungeon'],
    ['Rampage Alert!', 'dungeon'],
    ['collection challenge', 'dungeon'],
    ['RACING', 'dungeon'],
    ['constructor', 'dungeon'],
    ['Dungeon of Doom', 'dungeon'],
  ])('maps "%s" to %s', (name, type) => {
    expect(challengeTypeOf(name, challengeRules)).toBe(type);
  });
});

describe('challengeAt', () => {
  const start = unix('2026-03-10T15:00:00Z');
  const capture = { windowAnchorAt: start, name: 'Racing Challenge', capturedAt: start + 30 };

  it.each([
    [0, true, 1200],
    [1199, true, 1],
    [1200, false, 0],
    [3599, false, 0],
  ])('returns the reported name at second %i (active %s, %i s left)', (second, active, secondsRemaining) => {
    expect(challengeAt(start + second, capture, challengeRules)).toEqual({
      starts_at: start,
      ends_at: start + 1200,
      is_friday_window: false,
      active,
      seconds_remaining: secondsRemaining,
      name: 'Racing Challenge',
      type: 'racing',
      captured_at: new Date((start + 30) * 1000).toISOString(),
    });
  });

  it.each([
    ['no capture', null, start],
    ['a capture of the window before', { ...capture, windowAnchorAt: start - 3600 }, start],
    ['a capture of the window after', { ...capture, windowAnchorAt: start + 3600 }, start],
  ])('returns no name with %s', (_case, other, now) => {
    expect(challengeAt(now, other, challengeRules)).toMatchObject({ starts_at: start, name: null, type: null, captured_at: null });
  });

  it('changes when the window ends and when the next one starts', () => {
    const changes = [0, 1199, 1200, 3599].map((second) => challengeNextChangeAt(start + second, challengeRules) - start);
    expect(changes).toEqual([1200, 1200, 3600, 3600]);
    expect(challengeNextChangeAt(unix('2026-03-13T11:20:00Z'), challengeRules)).toBe(unix('2026-03-13T11:30:00Z'));
    expect(challengeNextChangeAt(unix('2026-03-13T10:20:00Z'), challengeRules)).toBe(unix('2026-03-13T11:00:00Z'));
    expect(challengeNextChangeAt(unix('2026-03-14T10:50:00Z'), challengeRules)).toBe(unix('2026-03-14T11:00:00Z'));
  });
});
