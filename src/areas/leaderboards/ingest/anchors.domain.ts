import { InputError } from '../../../platform/errors/input-error.ts';
import { floorMod } from '../../../platform/time/arithmetic.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../../platform/time/clock.ts';
import { GAME_OFFSET_SECONDS, gameDayStart } from '../../../platform/time/game-calendar.ts';
import { MAX_AHEAD_SECONDS, MAX_BACK_SECONDS } from '../leaderboards.data.ts';

/** An instant cut to its minute. */
function minuteOf(instant: UnixSeconds): UnixSeconds {
  return instant - floorMod(instant, SECONDS_PER_MINUTE);
}

/** 11:00 UTC of the date for midnight UTC, which old clients send for a whole day; null for any other instant. */
function dayAliasOf(instant: UnixSeconds): UnixSeconds | null {
  return floorMod(instant, SECONDS_PER_DAY) === 0 ? instant + GAME_OFFSET_SECONDS : null;
}

/**
 * Where a dump is filed: under the instant asked for, else under the start of the game day. Midnight means 11:00 of its
 * date once that has come; before, it can only be the hourly capture of that midnight. Refuses instants that cannot be one.
 */
export function anchorForInsert(asked: number | undefined, isBackfill: boolean, now: UnixSeconds): UnixSeconds {
  if (asked === undefined) return gameDayStart(now);
  const refuse = (why: string) => new InputError('refused', ['timestamp'], why);
  if (asked <= 0) throw refuse('must be positive');
  const minute = minuteOf(asked);
  const alias = dayAliasOf(minute);
  const anchor = alias !== null && alias <= now + MAX_AHEAD_SECONDS ? alias : minute;
  if (anchor > now + MAX_AHEAD_SECONDS) throw refuse('must be at most 5 minutes in the future');
  if (!isBackfill && anchor < now - MAX_BACK_SECONDS) throw refuse('must be at most 14 days old unless backfill=true');
  return anchor;
}

/** The capture that a query means: the first of some anchors that has one, or the newest up to an instant. */
export type WantedCapture = { anchors: UnixSeconds[] } | { until: UnixSeconds };

/** `created_at` names the anchor, `at` any instant; `created_at` counts when both are given. Refuses instants before 1970. */
export function captureForRead({ created_at: anchor, at }: { created_at?: number | undefined; at?: number | undefined }): WantedCapture {
  const until = at === undefined ? null : positive(at, 'at');
  if (anchor !== undefined) return { anchors: anchorsForRead(positive(anchor, 'created_at')) };
  if (until !== null) return { until };
  throw new InputError('invalid', ['created_at'], 'is required unless `at` is given');
}

/** Requested time in response format. */
export function requestedInstant(wanted: WantedCapture): UnixSeconds {
  return 'until' in wanted ? wanted.until : (wanted.anchors[0] ?? 0);
}

function positive(instant: UnixSeconds, parameter: string): UnixSeconds {
  if (instant <= 0) throw new InputError('refused', [parameter], 'must be positive');
  return instant;
}

/** Anchors that an instant means, the likeliest first. */
function anchorsForRead(asked: UnixSeconds): UnixSeconds[] {
  const minute = minuteOf(asked);
  const alias = dayAliasOf(minute);
  return alias === null ? [minute] : [minute, alias];
}
