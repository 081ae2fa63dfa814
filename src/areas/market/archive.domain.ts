import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MIN_KEEP_DAYS } from './market.data.ts';

/** A calendar month (UTC). */
export interface Month {
  /** `2025-03` */
  name: string;
  from: UnixSeconds;
  /** Start of the next month. */
  to: UnixSeconds;
}

/** The month of an instant. */
export function monthOf(at: UnixSeconds): Month {
  const date = new Date(at * 1000);
  const startOf = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000;
  const month = date.getUTCMonth();
  return { name: date.toISOString().slice(0, 'yyyy-mm'.length), from: startOf(month), to: startOf(month + 1) };
}

/** Time before which a month must end to be archived; null: listings are kept. */
export function archiveBefore(keepDays: number, now: UnixSeconds): UnixSeconds | null {
  return keepDays === 0 ? null : now - Math.max(keepDays, MIN_KEEP_DAYS) * SECONDS_PER_DAY;
}
