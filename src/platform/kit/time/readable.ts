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
