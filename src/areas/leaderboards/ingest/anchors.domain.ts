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
  if (anchor > now + MAX_AHEAD_SECONDS) throw refuse('is more than 5 minutes ahead');
  if (!isBackfill && anchor < now - MAX_BACK_SECONDS) throw refuse('is more than 14 days old: backfill=true takes it all the same');
  return anchor;
}

/** Anchors that a query means, the likeliest first. Refuses instants before 1970. */
export function anchorsForRead(asked: UnixSeconds): UnixSeconds[] {
  if (asked <= 0) throw new InputError('refused', ['created_at'], 'must be positive');
  const minute = minuteOf(asked);
  const alias = dayAliasOf(minute);
  return alias === null ? [minute] : [minute, alias];
}
