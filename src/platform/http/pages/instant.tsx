import type { FC } from 'hono/jsx';
import { toIso, type UnixSeconds } from '../../kit/time/clock.ts';

/** A time in UTC: `2026-11-22 19:07 UTC`, or `19:07 UTC` with `clockOnly`. */
export function utcText(at: UnixSeconds, clockOnly = false): string {
  const minute = toIso(at).slice(0, 16).replace('T', ' ');
  return `${clockOnly ? minute.slice(11) : minute} UTC`;
}

/** A time in UTC. The script `times.js` converts it to the time zone of the visitor and adds UTC as the tooltip. */
export const Instant: FC<{ at: UnixSeconds; clockOnly?: boolean }> = ({ at, clockOnly = false }) => (
  <time datetime={toIso(at)} data-local={clockOnly ? 'clock' : 'minute'}>
    {utcText(at, clockOnly)}
  </time>
);
