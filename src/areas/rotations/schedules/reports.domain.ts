import { floorDiv, gameWeekdayIndex, toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { type Cycle, currentOrNextWindow, isWithin, type TimeWindow } from './cycle.domain.ts';

export const CHALLENGE_TYPES = namedValues('ChallengeType', 'Kind of challenge.', ['collection', 'rampage', 'racing', 'target', 'dungeon']);
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];

/** Windows start at multiples of the step. The steps divide an hour, so no window crosses an edge of the Friday window. */
export type ChallengeRules = {
  durationSeconds: number;
  stepSeconds: number;
  fridayStepSeconds: number;
  typesByName: ReadonlyMap<string, ChallengeType>;
};

type ChallengeWindow = TimeWindow & { is_friday_window: boolean };

/** A reported name of the window that starts at `windowAnchorAt`. */
export type ChallengeCapture = { windowAnchorAt: UnixSeconds; name: string; capturedAt: UnixSeconds };

const FRIDAY_INDEX = 4;

/** Whether there are two windows per hour: from Friday 11:00 to Saturday 11:00 UTC (the game day Friday). */
export function isFridayWindowAt(now: UnixSeconds): boolean {
  return gameWeekdayIndex(now) === FRIDAY_INDEX;
}

/** The open window, or in a gap the last one. A report at `now` belongs to this window. */
export function challengeWindowAt(now: UnixSeconds, rules: ChallengeRules): ChallengeWindow {
  const step = stepAt(now, rules);
  const startsAt = floorDiv(now, step) * step;
  return { starts_at: startsAt, ends_at: challengeEndsAt(startsAt, rules), is_friday_window: isFridayWindowAt(now) };
}

/** End of the window that starts at `windowAnchorAt`. */
export function challengeEndsAt(windowAnchorAt: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  return windowAnchorAt + rules.durationSeconds;
}

/** Start of the first window strictly after `now`. */
export function nextChallengeStartAt(now: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  return challengeWindowAt(now, rules).starts_at + stepAt(now, rules);
}

/** Type of a challenge by exact, case-sensitive name; other names are dungeons. */
export function challengeTypeOf(name: string, rules: Pick<ChallengeRules, 'typesByName'>): ChallengeType {
  return rules.typesByName.get(name.trim()) ?? 'dungeon';
}

/** Challenge at `now`. Ignores a capture of another window. In a gap the name of the last window is still shown, and
 * `seconds_remaining` is 0. */
export function challengeAt(now: UnixSeconds, capture: ChallengeCapture | null, rules: ChallengeRules) {
  const { is_friday_window, ...window } = challengeWindowAt(now, rules);
  const current = capture !== null && capture.windowAnchorAt === window.starts_at ? capture : null;
  return {
    ...window,
    active: isWithin(now, window),
    is_friday_window,
    seconds_remaining: Math.max(0, window.ends_at - now),
    name: current?.name ?? null,
    type: current === null ? null : challengeTypeOf(current.name, rules),
    captured_at: current && toIso(current.capturedAt),
  };
}

/** End of the window, or in a gap the start of the next one. A report may change the body earlier. */
export function challengeNextChangeAt(now: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  const window = challengeWindowAt(now, rules);
  return isWithin(now, window) ? window.ends_at : nextChallengeStartAt(now, rules);
}

function stepAt(now: UnixSeconds, rules: ChallengeRules): number {
  return isFridayWindowAt(now) ? rules.fridayStepSeconds : rules.stepSeconds;
}

/** Item reported for the week that starts at `weekAnchorAt`. */
export type ChaosChestCapture = { weekAnchorAt: UnixSeconds; name: string; capturedAt: UnixSeconds };

/** Item of the community source. `startsAt` and `endsAt` are null when the source has no valid value. */
export type ChaosChestRelayItem = {
  name: string;
  identifier: string | null;
  blueprint: string | null;
  startsAt: UnixSeconds | null;
  endsAt: UnixSeconds | null;
};

/** The last valid relayed item and the time of its fetch. */
export type ChaosChestRelay = ChaosChestRelayItem & { fetchedAt: UnixSeconds };

/** Window and item at a time, without codex data. */
type FeaturedChaosChest = TimeWindow & {
  item: { name: string; identifier: string | null; blueprint: string | null } | null;
  fetchedAt: UnixSeconds | null;
};

/** Week of `now`, from Tuesday 11:00 UTC to Tuesday 11:00 UTC. Its start is the anchor of a report at `now`. */
export function chaosChestWeekAt(now: UnixSeconds, week: Cycle): TimeWindow {
  return currentOrNextWindow(now, week);
}

/** End of the week that starts at `weekAnchorAt`. */
export function chaosChestWeekEndsAt(weekAnchorAt: UnixSeconds, week: Cycle): UnixSeconds {
  return weekAnchorAt + week.durationSeconds;
}

/** Item at `now`: the report of this week, otherwise a current relayed item, otherwise none. */
export function featuredChaosChestAt(
  now: UnixSeconds,
  capture: ChaosChestCapture | null,
  relay: ChaosChestRelay | null,
  week: Cycle,
): FeaturedChaosChest {
  const window = chaosChestWeekAt(now, week);
  if (capture !== null && capture.weekAnchorAt === window.starts_at) {
    return { ...window, item: { name: capture.name, identifier: null, blueprint: null }, fetchedAt: capture.capturedAt };
  }
  if (relay !== null && isCurrent(now, relay, window)) {
    return {
      // The source writes 0 for an unknown start.
      starts_at: relay.startsAt || window.starts_at,
      ends_at: relay.endsAt ?? window.ends_at,
      item: { name: relay.name, identifier: relay.identifier, blueprint: relay.blueprint },
      fetchedAt: relay.fetchedAt,
    };
  }
  return { ...window, item: null, fetchedAt: null };
}

/**
 * Chaos chest at `now`. `blueprint`: from the codex, used when the source has none. `fetched_at`: time of the report or of the fetch from
 * the source.
 */
export function chaosChestAt(now: UnixSeconds, { item, fetchedAt, ...window }: FeaturedChaosChest, blueprint: string | null) {
  return {
    active: isWithin(now, window),
    ...window,
    seconds_remaining: Math.max(0, window.ends_at - now),
    item: item === null ? null : { ...item, blueprint: item.blueprint ?? blueprint },
    fetched_at: fetchedAt === null ? null : toIso(fetchedAt),
  };
}

/** Next scheduled change of the chaos chest: an edge of the window, at the latest the start of the next week. */
export function chaosChestNextChangeAt(now: UnixSeconds, featured: TimeWindow, week: Cycle): UnixSeconds {
  const edges = [featured.starts_at, featured.ends_at].filter((edge) => edge > now);
  return Math.min(chaosChestWeekAt(now, week).ends_at, ...edges);
}

/** Whether a relayed item is current. An item without an end is valid only in the week of its fetch; otherwise it would never expire. */
function isCurrent(now: UnixSeconds, relay: ChaosChestRelay, week: TimeWindow): boolean {
  if (relay.name === '') return false;
  return relay.endsAt === null ? isWithin(relay.fetchedAt, week) : relay.endsAt > now;
}
