import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type Cycle, currentOrNextWindow, isWithin, type TimeWindow } from '../computed/cycle.domain.ts';

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

export type ChaosChestItem = { name: string; identifier: string | null; blueprint: string | null };

/** `secondsRemaining`: until the end of the window. `fetchedAt`: time of the report or of the relay fetch. */
export type ChaosChest = TimeWindow & {
  active: boolean;
  secondsRemaining: number;
  item: ChaosChestItem | null;
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
  if (capture !== null && capture.weekAnchorAt === window.startsAt) {
    return { ...window, item: { name: capture.name, identifier: null, blueprint: null }, fetchedAt: capture.capturedAt };
  }
  if (relay !== null && isCurrent(now, relay, window)) {
    return {
      // The source writes 0 for an unknown start.
      startsAt: relay.startsAt || window.startsAt,
      endsAt: relay.endsAt ?? window.endsAt,
      item: { name: relay.name, identifier: relay.identifier, blueprint: relay.blueprint },
      fetchedAt: relay.fetchedAt,
    };
  }
  return { ...window, item: null, fetchedAt: null };
}

/** Chaos chest at `now`. `blueprint`: from the codex, used when the source has none. */
export function chaosChestAt(now: UnixSeconds, featured: FeaturedChaosChest, blueprint: string | null): ChaosChest {
  const { startsAt, endsAt, item, fetchedAt } = featured;
  return {
    startsAt,
    endsAt,
    active: isWithin(now, featured),
    secondsRemaining: Math.max(0, endsAt - now),
    item: item === null ? null : { ...item, blueprint: item.blueprint ?? blueprint },
    fetchedAt,
  };
}

/** Next scheduled change of the chaos chest: an edge of the window, at the latest the start of the next week. */
export function chaosChestNextChangeAt(now: UnixSeconds, featured: TimeWindow, week: Cycle): UnixSeconds {
  const edges = [featured.startsAt, featured.endsAt].filter((edge) => edge > now);
  return Math.min(chaosChestWeekAt(now, week).endsAt, ...edges);
}

/** Whether a relayed item is current. An item without an end is valid only in the week of its fetch; otherwise it would never expire. */
function isCurrent(now: UnixSeconds, relay: ChaosChestRelay, week: TimeWindow): boolean {
  if (relay.name === '') return false;
  return relay.endsAt === null ? isWithin(relay.fetchedAt, week) : relay.endsAt > now;
}
