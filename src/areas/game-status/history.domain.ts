import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MAX_MISSED_INTERVALS, type Status } from './game-status.data.ts';

/** A period in which an environment had one status. The open segment has no end. */
interface StatusSegment {
  status: Status;
  startedAt: UnixSeconds;
  endedAt: UnixSeconds | null;
}

/** A stored segment with the time of the last probe that confirmed it. */
export interface StoredSegment extends StatusSegment {
  lastConfirmedAt: UnixSeconds;
}
export type OpenSegment = Pick<StoredSegment, 'status' | 'startedAt' | 'lastConfirmedAt'>;

/** A segment clipped to a window. */
export interface ClippedSegment extends StatusSegment {
  online: boolean;
  durationSeconds: number;
}

export interface StatusHistory {
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  /** Online share of the covered time, 5 decimals; null when no time is covered. */
  uptime: number | null;
  coveredSeconds: number;
  /** End of the known time of the open segment, once probes are missing; null while it still grows, and without an open segment. */
  knownUntil: UnixSeconds | null;
  segments: ClippedSegment[];
  outages: ClippedSegment[];
}

const UPTIME_SCALE = 100_000;

/**
 * History of the last days. Not covered: time before the first segment, gaps between segments, and time since the last probe beyond the
 * allowed missed intervals.
 */
export function statusHistory(
  segments: readonly StoredSegment[],
  now: UnixSeconds,
  days: number,
  probeIntervalSeconds: number,
): StatusHistory {
  const windowStart = now - days * SECONDS_PER_DAY;
  const clipped = segments
    .toSorted((one, other) => one.startedAt - other.startedAt)
    .flatMap((segment) => clipTo(segment, windowStart, now, probeIntervalSeconds) ?? []);
  const coveredSeconds = sumDurations(clipped);
  const open = segments.find(({ endedAt }) => endedAt === null);
  const openUntil = open ? knownUntil(open, now, probeIntervalSeconds) : now;
  const onlineSeconds = sumDurations(clipped.filter(({ online }) => online));
  return {
    windowStart,
    windowEnd: now,
    uptime: coveredSeconds === 0 ? null : Math.round((onlineSeconds / coveredSeconds) * UPTIME_SCALE) / UPTIME_SCALE,
    coveredSeconds,
    knownUntil: openUntil < now ? openUntil : null,
    segments: clipped,
    outages: clipped.filter(({ online }) => !online),
  };
}

/** End of the time in which the status of a segment is known. */
function knownUntil({ endedAt, lastConfirmedAt }: StoredSegment, now: UnixSeconds, probeIntervalSeconds: number): UnixSeconds {
  return endedAt ?? Math.min(now, lastConfirmedAt + MAX_MISSED_INTERVALS * probeIntervalSeconds);
}

/** The segment clipped to the window; null when its known time is outside. The duration of the open segment is its known time. */
function clipTo(segment: StoredSegment, start: UnixSeconds, end: UnixSeconds, probeIntervalSeconds: number): ClippedSegment | null {
  const { status, startedAt, endedAt } = segment;
  const until = knownUntil(segment, end, probeIntervalSeconds);
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

function sumDurations(segments: readonly ClippedSegment[]): number {
  return segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

/** Effect of a probe on the open segment of its environment. */
type SegmentChange =
  | { kind: 'none' }
  /** The status is unchanged. */
  | { kind: 'confirm' }
  /** Replaces the status of a segment opened in the same second. */
  | { kind: 'correct' }
  /** Ends the open segment, if any, and opens a new one. */
  | { kind: 'open'; previousEndsAt: UnixSeconds | null };

/**
 * Applies the status of a probe at `now`. After a long gap the open segment ends at its last confirmation. Unknown statuses and probes
 * older than the last one are ignored.
 */
export function segmentChange(open: OpenSegment | null, status: Status, now: UnixSeconds, intervalSeconds: number): SegmentChange {
  if (status === 'unknown') return { kind: 'none' };
  if (!open) return { kind: 'open', previousEndsAt: null };
  if (now < open.lastConfirmedAt) return { kind: 'none' };
  const hasGap = now - open.lastConfirmedAt > MAX_MISSED_INTERVALS * intervalSeconds;
  if (hasGap) return { kind: 'open', previousEndsAt: open.lastConfirmedAt };
  if (status === open.status) return { kind: 'confirm' };
  return now === open.startedAt ? { kind: 'correct' } : { kind: 'open', previousEndsAt: now };
}

/** An outage that still lasts, with its whole minutes at the last two probes. */
export interface Outage {
  since: UnixSeconds;
  minutes: number;
  previousMinutes: number;
}

/**
 * The outage that a probe at `now` continues: adjoining segments without `online` up to the open one. Null for an online server, for the
 * first probe of an outage, and after a gap. `newest`: the newest stored segments, newest first.
 */
export function outageAt(newest: readonly StoredSegment[], status: Status, now: UnixSeconds, intervalSeconds: number): Outage | null {
  const [open] = newest;
  if (status === 'online' || status === 'unknown' || !open || open.endedAt !== null || open.status === 'online') return null;
  const change = segmentChange(open, status, now, intervalSeconds);
  const isContinued = change.kind === 'confirm' || (change.kind === 'open' && change.previousEndsAt === now);
  if (!isContinued) return null;
  let since = open.startedAt;
  for (const { status: earlier, startedAt, endedAt } of newest.slice(1)) {
    if (earlier === 'online' || endedAt !== since) break;
    since = startedAt;
  }
  const minutesAt = (at: UnixSeconds) => Math.floor((at - since) / SECONDS_PER_MINUTE);
  return { since, minutes: minutesAt(now), previousMinutes: minutesAt(open.lastConfirmedAt) };
}
