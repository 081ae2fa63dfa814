import type { FC } from 'hono/jsx';
import { toIso, type UnixSeconds } from '../../time/clock.ts';

/** A time in UTC to the minute, `2026-11-22 19:07 UTC`, or only the time of day, `19:07 UTC`. */
export function utcText(at: UnixSeconds, clockOnly = false): string {
  const minute = toIso(at).slice(0, 16).replace('T', ' ');
  return `${clockOnly ? minute.slice(11) : minute} UTC`;
}

/** A time in UTC; `times.js` shows it in the visitor's zone, with UTC on hover. */
export const Instant: FC<{ at: UnixSeconds; clockOnly?: boolean }> = ({ at, clockOnly = false }) => (
  <time datetime={toIso(at)} data-local={clockOnly ? 'clock' : 'minute'}>
    {utcText(at, clockOnly)}
  </time>
);
