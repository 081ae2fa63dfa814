import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { MONTHS } from '../../../platform/kit/time/day-text.ts';

/** Months of a date in lower case. */
const LOWER_MONTHS = MONTHS.map((name) => name.toLowerCase());
/** UTC offsets in hours of the zone names of RFC 822. */
const ZONES: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{2}|\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s+([a-z]{1,5}|[+-]\d{4}))?$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:\d{2})$/;

/** Parses a date of a feed: RFC 822 with two-digit or four-digit years, or ISO 8601. Null for other texts. */
export function parseFeedDate(text: string): UnixSeconds | null {
  const date = text.trim().toLowerCase();
  if (ISO_8601.test(date))
    return isRealDay(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)))
      ? wholeSeconds(Date.parse(date.toUpperCase()))
      : null;
  const match = RFC_822.exec(date);
  if (!match) return null;
  const [, day, month, year, hours, minutes, seconds = '0', zone = '+0000'] = match;
  const offset = zoneOffsetSeconds(zone);
  const fields = [
    fullYear(year ?? ''),
    LOWER_MONTHS.indexOf(month ?? ''),
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  ] as const;
  if (offset === null || !isRealDate(fields)) return null;
  return wholeSeconds(Date.UTC(...fields) - offset * 1000);
}

/** Two-digit years are 1950 to 2049 (RFC 2822). */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function zoneOffsetSeconds(zone: string): number | null {
  const numeric = /^([+-])(\d{2})(\d{2})$/.exec(zone);
  if (numeric) return (numeric[1] === '-' ? -1 : 1) * (Number(numeric[2]) * 3600 + Number(numeric[3]) * 60);
  const hours = ZONES[zone];
  return hours === undefined ? null : hours * 3600;
}

function isRealDate([year, month, day, hours, minutes, seconds]: readonly [number, number, number, number, number, number]): boolean {
  return hours <= 23 && minutes <= 59 && seconds <= 60 && isRealDay(year, month, day);
}

/** Whether the date exists: it survives a round trip. */
function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month, day));
  return date.getUTCMonth() === month && date.getUTCDate() === day;
}

function wholeSeconds(milliseconds: number): UnixSeconds | null {
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
