import type { UnixSeconds } from './clock.ts';

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** A time in English: `22 November 2026, 19:07 UTC`. */
export function readableTime(at: UnixSeconds): string {
  const instant = new Date(at * 1000);
  return `${date.format(instant)}, ${clock.format(instant)} UTC`;
}
