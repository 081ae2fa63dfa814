import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { DATABASE_ALARM_SHARE, DATABASE_LIMIT_BYTES, GROWTH_DAYS } from './status.data.ts';

/** Size of the database at the first check of a day. */
export interface DaySize {
  /** Start of the day in UTC. */
  day: UnixSeconds;
  bytes: number;
}

/** Size and growth of the database. */
export interface DatabaseGrowth {
  bytes: number;
  limitBytes: number;
  /** Mean of the last days; null before the second day. */
  bytesPerDay: number | null;
  /** When the limit is reached at this growth; null if the size does not grow. */
  fullAt: UnixSeconds | null;
  /** Whether the size is at least 70 % of the limit. */
  isAlarm: boolean;
}

/** Adds the size of a day, of which the first one counts, and keeps the days that the growth is computed from. */
export function addSize(sizes: readonly DaySize[], day: UnixSeconds, bytes: number | undefined): DaySize[] {
  const kept = sizes.filter((size) => size.day > day - GROWTH_DAYS * SECONDS_PER_DAY);
  return bytes === undefined || kept.some((size) => size.day === day) ? kept : [...kept, { day, bytes }];
}

/** The growth between the oldest and the newest day; null before the first. `bytes`: the size now. */
export function growthOf(sizes: readonly DaySize[], bytes: number | undefined, now: UnixSeconds): DatabaseGrowth | null {
  const [oldest] = sizes;
  const newest = sizes.at(-1);
  if (bytes === undefined) return null;
  const isKnown = oldest !== undefined && newest !== undefined && newest.day > oldest.day;
  const perDay = isKnown ? ((newest.bytes - oldest.bytes) / (newest.day - oldest.day)) * SECONDS_PER_DAY : null;
  const left = Math.max(0, DATABASE_LIMIT_BYTES - bytes);
  return {
    bytes,
    limitBytes: DATABASE_LIMIT_BYTES,
    bytesPerDay: perDay === null ? null : Math.round(perDay),
    isAlarm: sizeCheck(bytes).state !== 'green',
    fullAt: perDay === null || perDay <= 0 ? null : now + Math.round((left / perDay) * SECONDS_PER_DAY),
  };
}

/** The database is degraded from 70 % of its limit on. */
export function sizeCheck(bytes: number | undefined): { state: 'green' | 'degraded'; detail: string | null } {
  const share = (bytes ?? 0) / DATABASE_LIMIT_BYTES;
  return share < DATABASE_ALARM_SHARE
    ? { state: 'green', detail: null }
    : { state: 'degraded', detail: `the database has reached ${Math.floor(share * 100)} % of its size limit` };
}
