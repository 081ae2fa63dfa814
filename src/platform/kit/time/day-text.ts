import type { UnixSeconds } from './clock.ts';

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
