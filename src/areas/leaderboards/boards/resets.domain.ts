import { SECONDS_PER_DAY, SECONDS_PER_WEEK, type UnixSeconds } from '../../../platform/time/clock.ts';
import { gameDayStart, gameWeekdayIndex } from '../../../platform/time/game-calendar.ts';
import { KNOWN_BOARDS, type ResetCadence } from './board-table.data.ts';

/** Cadences that an administrator forced, by board. */
export type ResetOverrides = ReadonlyMap<number, ResetCadence>;

const OVERRIDE = /^(\d{1,15}):(daily|weekly|none)$/;

/** Reads `<uuid>:daily|weekly|none` from a comma list; what is anything else is left out. */
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

/** The instants in `(from, to]` at which a board of the cadence is emptied, ascending. */
export function resetBoundaries(cadence: ResetCadence, from: UnixSeconds, to: UnixSeconds): UnixSeconds[] {
  const boundaries: UnixSeconds[] = [];
  const step = cadence === 'weekly' ? SECONDS_PER_WEEK : SECONDS_PER_DAY;
  for (let at = firstReset(cadence, from); at <= to && boundaries.length < MAX_BOUNDARIES; at += step) boundaries.push(at);
  return boundaries;
}

/** Whether a board of the cadence is emptied in `(from, to]`. */
export function crossesReset(cadence: ResetCadence, from: UnixSeconds, to: UnixSeconds): boolean {
  return firstReset(cadence, from) <= to;
}

/** The first reset strictly after an instant: 11:00 UTC, for weekly boards on a Monday. */
function firstReset(cadence: ResetCadence, from: UnixSeconds): UnixSeconds {
  if (cadence === 'never') return Number.POSITIVE_INFINITY;
  const nextDay = gameDayStart(from) + SECONDS_PER_DAY;
  if (cadence === 'daily') return nextDay;
  return nextDay + ((7 - gameWeekdayIndex(nextDay)) % 7) * SECONDS_PER_DAY;
}
