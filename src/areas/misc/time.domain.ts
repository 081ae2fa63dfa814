import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MONTHS } from '../../platform/kit/time/time-text.ts';
import { chatTimestampStyles, GAME_ZONE, GAME_ZONE_OFFSET_SECONDS, type TimeZone } from './time-zones.data.ts';

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
type OffsetAt = (instant: UnixSeconds) => number;

/** Ids of the time zone database start with a letter. Some engines also accept bare offsets such as `+05:30`. */
const ZONE_ID = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
/** Cached formatters: creating one is expensive. */
const MAX_CACHED_ZONES = 64;

const offsetsByZone = new Map<string, OffsetAt>();

/** Offsets of `game`, `UTC` or a zone of the time zone database; null for other ids. */
function zoneOffsets(id: string): OffsetAt | null {
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
function clockAt({ id, name }: TimeZone, instant: UnixSeconds, offset: number): ZoneClock {
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

/** A point in time: unix seconds, or a local time in a zone. */
export interface TimeInput {
  datetime: string | null;
  timezone: string;
  unix: number | null;
}

export interface ConvertedTime {
  unix: UnixSeconds;
  /** `YYYY-MM-DDTHH:MM:SS+00:00`. */
  isoUtc: string;
  zones: ZoneClock[];
  chatTimestampCodes: { style: string; label: string; code: string }[];
}

export type TimeFault = 'no_datetime' | 'bad_datetime' | 'unknown_zone' | 'out_of_range';

/** First second of the year 1. */
export const MIN_INSTANT = utcInstant({ year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0 });
/** Last second of the year 9999. */
export const MAX_INSTANT = utcInstant({ year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59 });
const SECONDS_PER_DAY = 86_400;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?$/;
const MAX_LENGTH = 64;

interface CivilTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** A parsed datetime: its fields as UTC, whether a fraction was truncated, and its offset, if given. */
interface ParsedTime {
  asUtc: UnixSeconds;
  hasFraction: boolean;
  offset: number | null;
}

/** Converts a time. `unix` takes precedence over datetime and zone. */
export function convertTime(
  { datetime, timezone, unix }: TimeInput,
  zones: readonly TimeZone[],
): { ok: true; time: ConvertedTime } | { ok: false; fault: TimeFault } {
  const instant = unix ?? instantOf(datetime, timezone);
  if (typeof instant === 'string') return { ok: false, fault: instant };
  if (instant < MIN_INSTANT || instant > MAX_INSTANT) return { ok: false, fault: 'out_of_range' };
  const time = {
    unix: instant,
    isoUtc: clockAt({ id: 'UTC', name: 'UTC' }, instant, 0).datetime,
    zones: zoneClocksAt(instant, zones),
    chatTimestampCodes: chatTimestampStyles.map(({ style, label }) => ({ style, label, code: `<t:${instant}:${style}>` })),
  };
  return { ok: true, time };
}

function instantOf(datetime: string | null, timezone: string): UnixSeconds | TimeFault {
  if (datetime === null || datetime === '') return 'no_datetime';
  const parsed = parseDateTime(datetime);
  if (!parsed) return 'bad_datetime';
  let instant: UnixSeconds;
  if (parsed.offset === null) {
    const offsets = zoneOffsets(timezone);
    if (!offsets) return 'unknown_zone';
    instant = localToInstant(parsed.asUtc, offsets);
  } else {
    instant = parsed.asUtc - parsed.offset;
  }
  // The fraction was rounded down. Truncation towards zero rounds up before 1970.
  return parsed.hasFraction && instant < 0 ? instant + 1 : instant;
}

function parseDateTime(text: string): ParsedTime | null {
  const match = text.length <= MAX_LENGTH ? DATE_TIME.exec(text) : null;
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const civil = { year, month, day, hour, minute, second };
  const offset = parseOffset(match[8]);
  if (!isCivilTime(civil) || offset === undefined) return null;
  return { asUtc: utcInstant(civil), hasFraction: Number(match[7] ?? 0) > 0, offset };
}

/** Seconds of `Z` or `±HH:MM`; null: absent; undefined: out of range. */
function parseOffset(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  if (text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function isCivilTime({ year, month, day, hour, minute, second }: CivilTime): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= new Date(utcInstant({ year, month: month + 1, day: 0, hour: 0, minute: 0, second: 0 }) * 1000).getUTCDate();
}

/** Unix seconds of a civil time in UTC. Not `Date.UTC`, which maps the years 0 to 99 to 1900 to 1999. */
function utcInstant({ year, month, day, hour, minute, second }: CivilTime): UnixSeconds {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second) / 1000;
}

/**
 * Unix seconds of a local time. An ambiguous time (clocks set back) is the first occurrence. A skipped time (clocks set forward) is read
 * with the offset before the change.
 */
function localToInstant(local: UnixSeconds, offsetAt: OffsetAt): UnixSeconds {
  const before = local - offsetAt(local - SECONDS_PER_DAY);
  const after = local - offsetAt(local + SECONDS_PER_DAY);
  return [before, after].find((instant) => instant + offsetAt(instant) === local) ?? before;
}
