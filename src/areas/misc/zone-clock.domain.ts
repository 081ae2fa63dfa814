import type { UnixSeconds } from '../../platform/time/clock.ts';
import { GAME_ZONE, GAME_ZONE_OFFSET_SECONDS, type TimeZone } from './time-zones.data.ts';

/** Local time of a zone. */
export interface ZoneClock {
  id: string;
  name: string;
  /** `YYYY-MM-DDTHH:MM:SS±HH:MM`; UTC has `+00:00`. */
  datetime: string;
  /** `Mon DD, YYYY`. */
  date: string;
  /** `HH:MM:SS`, 24 hours. */
  time: string;
}

/** Seconds a zone is ahead of UTC at an instant. */
export type OffsetAt = (instant: UnixSeconds) => number;

/** Ids of the time zone database begin with a letter; some engines would take bare offsets such as `+05:30` as well. */
const ZONE_ID = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Zones whose formatter is kept: making one costs far more than using it. */
const MAX_CACHED_ZONES = 64;

const kept = new Map<string, OffsetAt>();

/** The offsets of `game`, `UTC` or a zone of the time zone database; null for anything else. */
export function zoneOffsets(id: string): OffsetAt | null {
  if (id === GAME_ZONE) return () => GAME_ZONE_OFFSET_SECONDS;
  if (id === 'UTC') return () => 0;
  if (!ZONE_ID.test(id)) return null;
  const known = kept.get(id);
  if (known) return known;
  const offsets = databaseZone(id);
  if (offsets && kept.size < MAX_CACHED_ZONES) kept.set(id, offsets);
  return offsets;
}

function databaseZone(id: string): OffsetAt | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
  return (instant) => {
    const name = format.formatToParts(instant * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(name) ?? [];
    const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -offset : offset;
  };
}

/** The clock of a zone with the given offset. */
export function clockAt({ id, name }: TimeZone, instant: UnixSeconds, offset: number): ZoneClock {
  const local = new Date((instant + offset) * 1000);
  const year = padded(local.getUTCFullYear(), 4);
  const month = local.getUTCMonth();
  const day = padded(local.getUTCDate(), 2);
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map((part) => padded(part, 2)).join(':');
  return {
    id,
    name,
    datetime: `${year}-${padded(month + 1, 2)}-${day}T${time}${offsetText(offset)}`,
    date: `${MONTHS[month]} ${day}, ${year}`,
    time,
  };
}

/** The clocks of several zones. Zones the engine does not know would show UTC; the tables hold none. */
export function zoneClocksAt(instant: UnixSeconds, zones: readonly TimeZone[]): ZoneClock[] {
  return zones.map((zone) => clockAt(zone, instant, zoneOffsets(zone.id)?.(instant) ?? 0));
}

/** `±HH:MM`. Local mean times of the past had seconds: they are rounded to the minute, as there is no place for them. */
function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
