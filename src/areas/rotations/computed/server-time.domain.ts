import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { gameWeekdayIndex, WEEKDAYS, type Weekday } from '../../../platform/time/game-calendar.ts';
import { type Cycle, cycleWindow, cyclicAt, indexStartingAfter } from './cycle.domain.ts';

/** The two resets: each window of a cycle starts at a reset. */
export type ResetRules = { daily: Cycle; weekly: Cycle };

/** Game day that holds `now`, and the resets that follow it. */
export type ServerTime = {
  now: UnixSeconds;
  gameDay: Weekday;
  dailyResetAt: UnixSeconds;
  weeklyResetAt: UnixSeconds;
};

/** The next reset, strictly later than `now`: at the very second of a reset it is the following one. */
export function nextReset(now: UnixSeconds, reset: Cycle): UnixSeconds {
  return cycleWindow(indexStartingAfter(now, reset), reset).startsAt;
}

/** Game server time (UTC-11) at `now`. The weekly reset is that of the weekly buff, a Monday. */
export function serverTimeAt(now: UnixSeconds, rules: ResetRules): ServerTime {
  return {
    now,
    gameDay: cyclicAt(WEEKDAYS, gameWeekdayIndex(now)),
    dailyResetAt: nextReset(now, rules.daily),
    weeklyResetAt: nextReset(now, rules.weekly),
  };
}

/** When anything but the clock itself changes in the server time. */
export function serverTimeNextChangeAt(now: UnixSeconds, rules: ResetRules): UnixSeconds {
  return Math.min(nextReset(now, rules.daily), nextReset(now, rules.weekly));
}
