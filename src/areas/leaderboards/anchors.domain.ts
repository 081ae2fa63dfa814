import { InputError } from '../../platform/kit/errors/input-error.ts';
import {
  floorMod,
  GAME_OFFSET_SECONDS,
  gameDayStart,
  SECONDS_PER_DAY,
  SECONDS_PER_MINUTE,
  type UnixSeconds,
} from '../../platform/kit/time/clock.ts';
import { MAX_AHEAD_SECONDS, MAX_BACK_SECONDS } from './leaderboards.data.ts';

/** Truncates an instant to the minute. */
function minuteOf(instant: UnixSeconds): UnixSeconds {
  return instant - floorMod(instant, SECONDS_PER_MINUTE);
}

/** For midnight UTC, which old clients send for a day: 11:00 UTC of the date. Null for any other instant. */
function dayAliasOf(instant: UnixSeconds): UnixSeconds | null {
  return floorMod(instant, SECONDS_PER_DAY) === 0 ? instant + GAME_OFFSET_SECONDS : null;
}

/**
 * Anchor of an inserted dump: the requested instant, by default the start of the game day. Midnight means 11:00 of the date
 * once that time has passed; before, it is the hourly capture of midnight. Throws for instants out of range.
 */
export function anchorForInsert(requested: number | undefined, isBackfill: boolean, now: UnixSeconds): UnixSeconds {
  if (requested === undefined) return gameDayStart(now);
  const refusal = (reason: string) => new InputError('refused', ['timestamp'], reason);
  if (requested <= 0) throw refusal('must be positive');
  const minute = minuteOf(requested);
  const alias = dayAliasOf(minute);
  const anchor = alias !== null && alias <= now + MAX_AHEAD_SECONDS ? alias : minute;
  if (anchor > now + MAX_AHEAD_SECONDS) throw refusal('must be at most 5 minutes in the future');
  if (!isBackfill && anchor < now - MAX_BACK_SECONDS) throw refusal('must be at most 14 days old unless backfill=true');
  return anchor;
}

/** The capture that a query selects: the first of the anchors that has one, or the newest up to an instant. */
export type WantedCapture = { anchors: UnixSeconds[] } | { until: UnixSeconds };

/** Later than any capture: selects the newest one. */
const NEWEST: UnixSeconds = Number.MAX_SAFE_INTEGER - 1;

/** `created_at` is an anchor, `at` any instant; `created_at` wins if both are given. Without both, the newest capture. Throws for instants below 1. */
export function captureForRead({ created_at: anchor, at }: { created_at?: number | undefined; at?: number | undefined }): WantedCapture {
  const until = at === undefined ? null : positive(at, 'at');
  if (anchor !== undefined) return { anchors: anchorsForRead(positive(anchor, 'created_at')) };
  return { until: until ?? NEWEST };
}

/** Requested time in response format; `now` for the newest capture. */
export function requestedInstant(requested: WantedCapture, now: UnixSeconds): UnixSeconds {
  if (!('until' in requested)) return requested.anchors[0] ?? 0;
  return requested.until === NEWEST ? now : requested.until;
}

function positive(instant: UnixSeconds, parameter: string): UnixSeconds {
  if (instant <= 0) throw new InputError('refused', [parameter], 'must be positive');
  return instant;
}

/** Anchors that an instant can stand for, most likely first. */
function anchorsForRead(requested: UnixSeconds): UnixSeconds[] {
  const minute = minuteOf(requested);
  const alias = dayAliasOf(minute);
  return alias === null ? [minute] : [minute, alias];
}
