import { gameDayStart, gameWeekdayIndex, SECONDS_PER_DAY, type UnixSeconds, type Weekday } from '../../../platform/kit/time/clock.ts';
import { type Cycle, cyclicAt, indexEndingAfter, type NonEmpty, nextEdgeAfter } from './cycle.domain.ts';

/** Bonus of one game weekday. `color` is six lowercase hex digits without `#`. */
export type DailyBuff = {
  name: string;
  color: string;
  weekday: Weekday;
  emoji: string;
  normalBuffs: readonly string[];
  premiumBuffs: readonly string[];
  icon: string | null;
  banner: string | null;
};

/** Bonus of one week. `weekday` is a label of the game, not a schedule. */
export type WeeklyBuff = {
  name: string;
  color: string;
  weekday: Weekday;
  emoji: string;
  buffs: readonly string[];
  banner: string | null;
};

/** The current buff and all seven, Monday first. */
export type DailyBuffs = { current: DailyBuff; week: NonEmpty<DailyBuff> };

/** The current buff and all buffs in rotation order. */
export type WeeklyBuffs = { current: WeeklyBuff; rotation: NonEmpty<WeeklyBuff> };

/** Week `k` of the cycle has entry `k` of `rotation`, which repeats. */
export type WeeklyBuffRules = { cycle: Cycle; rotation: NonEmpty<WeeklyBuff> };

/** Daily buffs at `now`. `week`: the seven buffs, Monday first. */
export function dailyBuffsAt(now: UnixSeconds, week: NonEmpty<DailyBuff>): DailyBuffs {
  return { current: cyclicAt(week, gameWeekdayIndex(now)), week };
}

/** Next change of the daily buff: the start of the next game day. */
export function dailyBuffsNextChangeAt(now: UnixSeconds): UnixSeconds {
  return gameDayStart(now) + SECONDS_PER_DAY;
}

/** Weekly buffs at `now`. */
export function weeklyBuffsAt(now: UnixSeconds, rules: WeeklyBuffRules): WeeklyBuffs {
  return { current: weeklyBuffOfWeek(indexEndingAfter(now, rules.cycle), rules), rotation: rules.rotation };
}

/** Buff of week `index` of the cycle. */
export function weeklyBuffOfWeek(index: number, rules: WeeklyBuffRules): WeeklyBuff {
  return cyclicAt(rules.rotation, index);
}

/** Next change of the weekly buff. */
export function weeklyBuffsNextChangeAt(now: UnixSeconds, rules: WeeklyBuffRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}
