import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/time/clock.ts';
import { SILENT_INTERVALS, type Status } from './game-status.data.ts';

/** A stretch of time in which an environment had one status; the open one has no end. */
export interface StatusSegment {
  status: Status;
  startedAt: UnixSeconds;
  endedAt: UnixSeconds | null;
}

/** The open segment with the last probe that confirmed it. */
export interface OpenSegment {
  status: Status;
  startedAt: UnixSeconds;
  lastConfirmedAt: UnixSeconds;
}

/** A segment cut to a window. */
export interface ClampedSegment extends StatusSegment {
  online: boolean;
  durationSeconds: number;
}

export interface StatusHistory {
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  /** Online part of what is covered, 5 decimals; null when nothing is. */
  uptime: number | null;
  coveredSeconds: number;
  segments: ClampedSegment[];
  outages: ClampedSegment[];
}

const UPTIME_SCALE = 100_000;

/** History of the last days. Time before the first segment and gaps between segments are not covered. */
export function statusHistory(segments: readonly StatusSegment[], now: UnixSeconds, days: number): StatusHistory {
  const windowStart = now - days * SECONDS_PER_DAY;
  const clamped = segments
    .toSorted((one, other) => one.startedAt - other.startedAt)
    .flatMap((segment) => clampedTo(segment, windowStart, now) ?? []);
  const coveredSeconds = totalOf(clamped);
  const onlineSeconds = totalOf(clamped.filter(({ online }) => online));
  return {
    windowStart,
    windowEnd: now,
    uptime: coveredSeconds === 0 ? null : Math.round((onlineSeconds / coveredSeconds) * UPTIME_SCALE) / UPTIME_SCALE,
    coveredSeconds,
    segments: clamped,
    outages: clamped.filter(({ online }) => !online),
  };
}

/** The part of a segment within the window; null when there is none. */
function clampedTo({ status, startedAt, endedAt }: StatusSegment, start: UnixSeconds, end: UnixSeconds): ClampedSegment | null {
  const until = endedAt ?? end;
  if (until <= start || startedAt >= end) return null;
  const from = Math.max(startedAt, start);
  const to = Math.min(until, end);
  return {
    status,
    online: status === 'online',
    startedAt: from,
    endedAt: endedAt === null ? null : to,
    durationSeconds: to - from,
  };
}

function totalOf(segments: readonly ClampedSegment[]): number {
  return segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

/** Effect of a probe on the open segment of its environment. */
export type SegmentStep =
  | { kind: 'none' }
  /** The status still holds. */
  | { kind: 'confirm' }
  /** Replaces the status of a segment opened in the same second. */
  | { kind: 'correct' }
  /** Ends the open segment, if there is one, and opens the next. */
  | { kind: 'open'; previousEndsAt: UnixSeconds | null };

/**
 * Continues the history with a status found at `now`. After a long gap the old segment ends where it was
 * last confirmed. An unknown status and a probe older than the last one are ignored.
 */
export function segmentStep(open: OpenSegment | null, status: Status, now: UnixSeconds, intervalSeconds: number): SegmentStep {
  if (status === 'unknown') return { kind: 'none' };
  if (!open) return { kind: 'open', previousEndsAt: null };
  if (now < open.lastConfirmedAt) return { kind: 'none' };
  const wasSilent = now - open.lastConfirmedAt > SILENT_INTERVALS * intervalSeconds;
  if (wasSilent) return { kind: 'open', previousEndsAt: open.lastConfirmedAt };
  if (status === open.status) return { kind: 'confirm' };
  return now === open.startedAt ? { kind: 'correct' } : { kind: 'open', previousEndsAt: now };
}
