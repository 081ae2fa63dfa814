import type { FC } from 'hono/jsx';
import { toIso, type UnixSeconds } from '../../kit/time/clock.ts';

/** A time in UTC: `2026-11-22 19:07 UTC`, or `19:07 UTC` with `clockOnly`. */
export function utcText(at: UnixSeconds, clockOnly = false): string {
  const minute = toIso(at).slice(0, 16).replace('T', ' ');
  return `${clockOnly ? minute.slice(11) : minute} UTC`;
}

export interface InstantProps {
  at: UnixSeconds;
  clockOnly?: boolean;
  dayOnly?: boolean;
  /** Adds how long ago or how far away the time is. */
  isRelative?: boolean;
}

/** A time in UTC. The script `times.js` of every page converts it to the time zone of the visitor and adds UTC as the tooltip. */
export const Instant: FC<InstantProps> = ({ at, clockOnly = false, dayOnly = false, isRelative = false }) => (
  <time datetime={toIso(at)} data-local={clockOnly ? 'clock' : dayOnly ? 'day' : 'minute'} data-relative={isRelative ? '' : undefined}>
    {dayOnly ? toIso(at).slice(0, 'YYYY-MM-DD'.length) : utcText(at, clockOnly)}
  </time>
);

/** A whole day in UTC, which no time zone changes: `2026-11-22`. */
export const UtcDay: FC<{ at: UnixSeconds }> = ({ at }) => {
  const day = toIso(at).slice(0, 'YYYY-MM-DD'.length);
  return <time datetime={day}>{day}</time>;
};
