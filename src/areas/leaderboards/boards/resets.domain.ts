import { gameDayStart, gameWeekdayIndex, SECONDS_PER_DAY, SECONDS_PER_WEEK, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { KNOWN_BOARDS, type ResetCadence } from './board-table.data.ts';

/** Reset cadences set by an administrator, by uuid of the board. */
export type ResetOverrides = ReadonlyMap<number, ResetCadence>;

const OVERRIDE = /^(\d{1,15}):(daily|weekly|none)$/;

/** Parses a comma-separated list of `<uuid>:daily|weekly|none`; skips invalid items. */
export function parseResetOverrides(text: string): ResetOverrides {
  const overrides = new Map<number, ResetCadence>();
  for (const item of text.split(',')) {
    const [, uuid, cadence] = OVERRIDE.exec(item.trim()) ?? [];
    if (uuid !== undefined) overrides.set(Number(uuid), cadence === 'none' ? 'never' : (cadence as ResetCadence));
  }
  return overrides;
}

/** Reset cadence of a board; unknown boards never reset. */
export function cadenceOf(uuid: number, overrides: ResetOverrides): ResetCadence {
  return overrides.get(uuid) ?? KNOWN_BOARDS.get(uuid)?.resets ?? 'never';
}

/** Maximum number of resets in a window. */
const MAX_BOUNDARIES = 4000;

/** Resets of a cadence in `(from, to]`, ascending. */
export function resetBoundaries(cadence: ResetCadence, from: UnixSeconds, to: UnixSeconds): UnixSeconds[] {
  const boundaries: UnixSeconds[] = [];
  const step = cadence === 'weekly' ? SECONDS_PER_WEEK : SECONDS_PER_DAY;
  for (let at = firstReset(cadence, from); at <= to && boundaries.length < MAX_BOUNDARIES; at += step) boundaries.push(at);
  return boundaries;
}

/** Whether a cadence has a reset in `(from, to]`. */
export function crossesReset(cadence: ResetCadence, from: UnixSeconds, to: UnixSeconds): boolean {
  return firstReset(cadence, from) <= to;
}

/** The first reset after an instant (exclusive): 11:00 UTC, for weekly boards on a Monday. */
function firstReset(cadence: ResetCadence, from: UnixSeconds): UnixSeconds {
  if (cadence === 'never') return Number.POSITIVE_INFINITY;
  const nextDay = gameDayStart(from) + SECONDS_PER_DAY;
  if (cadence === 'daily') return nextDay;
  return nextDay + ((7 - gameWeekdayIndex(nextDay)) % 7) * SECONDS_PER_DAY;
}
