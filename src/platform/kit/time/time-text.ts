import type { UnixSeconds } from './clock.ts';

const createFormats = () => ({
  date: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  clock: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
});

/** Created on first use, because creating them delays the start of an isolate. */
let formats: ReturnType<typeof createFormats> | undefined;

/** A time in English: `22 November 2026, 19:07 UTC`. */
export function readableTime(at: UnixSeconds): string {
  formats ??= createFormats();
  const instant = new Date(at * 1000);
  return `${formats.date.format(instant)}, ${formats.clock.format(instant)} UTC`;
}

export const MONTH_NAMES: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
/** Months with three letters. */
export const MONTHS: readonly string[] = MONTH_NAMES.map((name) => name.slice(0, 3));

/** `13 Mar`, UTC. */
export function dayText(at: UnixSeconds): string {
  const date = new Date(at * 1000);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}
