import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MONTHS } from '../../platform/kit/time/day-text.ts';
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

/** UTC offset of a zone at a time, in seconds. */
export type OffsetAt = (instant: UnixSeconds) => number;

/** Ids of the time zone database start with a letter. Some engines also accept bare offsets such as `+05:30`. */
const ZONE_ID = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
/** Cached formatters: creating one is expensive. */
const MAX_CACHED_ZONES = 64;

const offsetsByZone = new Map<string, OffsetAt>();

/** Offsets of `game`, `UTC` or a zone of the time zone database; null for other ids. */
export function zoneOffsets(id: string): OffsetAt | null {
  if (id === GAME_ZONE) return () => GAME_ZONE_OFFSET_SECONDS;
  if (id === 'UTC') return () => 0;
  if (!ZONE_ID.test(id)) return null;
  const cached = offsetsByZone.get(id);
  if (cached) return cached;
  const offsets = createZoneOffsets(id);
  if (offsets && offsetsByZone.size < MAX_CACHED_ZONES) offsetsByZone.set(id, offsets);
  return offsets;
}

function createZoneOffsets(id: string): OffsetAt | null {
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

/** Local time of a zone with the given offset. */
export function clockAt({ id, name }: TimeZone, instant: UnixSeconds, offset: number): ZoneClock {
  const local = new Date((instant + offset) * 1000);
  const year = padNumber(local.getUTCFullYear(), 4);
  const month = local.getUTCMonth();
  const day = padNumber(local.getUTCDate(), 2);
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map((part) => padNumber(part, 2)).join(':');
  return {
    id,
    name,
    datetime: `${year}-${padNumber(month + 1, 2)}-${day}T${time}${offsetText(offset)}`,
    date: `${MONTHS[month]} ${day}, ${year}`,
    time,
  };
}

/** Local times of several zones. Unknown zones would be shown as UTC; the list contains none. */
export function zoneClocksAt(instant: UnixSeconds, zones: readonly TimeZone[]): ZoneClock[] {
  return zones.map((zone) => clockAt(zone, instant, zoneOffsets(zone.id)?.(instant) ?? 0));
}

/** `±HH:MM`. Historical offsets with seconds are rounded to minutes. */
function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${padNumber(Math.floor(minutes / 60), 2)}:${padNumber(minutes % 60, 2)}`;
}

function padNumber(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
