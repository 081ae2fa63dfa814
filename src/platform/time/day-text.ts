import type { UnixSeconds } from './clock.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `13 Mar`, UTC. */
export function dayText(at: UnixSeconds): string {
  const date = new Date(at * 1000);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** `Mar 2026`, UTC. */
export function monthText(at: UnixSeconds): string {
  const date = new Date(at * 1000);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
