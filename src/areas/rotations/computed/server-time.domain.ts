import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { gameWeekdayIndex, WEEKDAYS, type Weekday } from '../../../platform/time/game-calendar.ts';
import { type Cycle, cycleWindow, cyclicAt, indexStartingAfter } from './cycle.domain.ts';

/** Cycles of the two resets: each window starts at a reset. */
export type ResetRules = { daily: Cycle; weekly: Cycle };

/** Game day of `now`, and the next resets. */
export type ServerTime = {
  now: UnixSeconds;
  gameDay: Weekday;
  dailyResetAt: UnixSeconds;
  weeklyResetAt: UnixSeconds;
};

/** The next reset, strictly after `now`. */
export function nextReset(now: UnixSeconds, reset: Cycle): UnixSeconds {
  return cycleWindow(indexStartingAfter(now, reset), reset).startsAt;
}

/** Game server time (UTC-11) at `now`. The weekly reset is the change of the weekly buff, on Monday. */
export function serverTimeAt(now: UnixSeconds, rules: ResetRules): ServerTime {
  return {
    now,
    gameDay: cyclicAt(WEEKDAYS, gameWeekdayIndex(now)),
    dailyResetAt: nextReset(now, rules.daily),
    weeklyResetAt: nextReset(now, rules.weekly),
  };
}

/** Next change of the server time other than the clock: a reset. */
export function serverTimeNextChangeAt(now: UnixSeconds, rules: ResetRules): UnixSeconds {
  return Math.min(nextReset(now, rules.daily), nextReset(now, rules.weekly));
}
