import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { type Cycle, currentOrNextWindow, isWithin, type TimeWindow } from '../computed/cycle.domain.ts';

/** Item name reported for the week that starts at `weekAnchorAt`. */
export type ChaosChestCapture = { weekAnchorAt: UnixSeconds; name: string; capturedAt: UnixSeconds };

/** Item as the community source describes it; `startsAt` and `endsAt` are null where the source says nothing usable. */
export type ChaosChestRelayItem = {
  name: string;
  identifier: string | null;
  blueprint: string | null;
  startsAt: UnixSeconds | null;
  endsAt: UnixSeconds | null;
};

/** The last relayed item that was usable, and when it was fetched. */
export type ChaosChestRelay = ChaosChestRelayItem & { fetchedAt: UnixSeconds };

/** Window and item for a time, without codex data. */
export type FeaturedChaosChest = TimeWindow & {
  item: { name: string; identifier: string | null; blueprint: string | null } | null;
  fetchedAt: UnixSeconds | null;
};

export type ChaosChestItem = { name: string; identifier: string | null; blueprint: string | null };

/** `secondsRemaining` always counts to the end of the window. `fetchedAt` is the time of the capture or of the relay fetch. */
export type ChaosChest = TimeWindow & {
  active: boolean;
  secondsRemaining: number;
  item: ChaosChestItem | null;
  fetchedAt: UnixSeconds | null;
};

/** Week that holds `now`, Tuesday 11:00 UTC to Tuesday 11:00 UTC; its start is the anchor of a capture made now. */
export function chaosChestWeekAt(now: UnixSeconds, week: Cycle): TimeWindow {
  return currentOrNextWindow(now, week);
}

/** End of the week that starts at `weekAnchorAt`. */
export function chaosChestWeekEndsAt(weekAnchorAt: UnixSeconds, week: Cycle): UnixSeconds {
  return weekAnchorAt + week.durationSeconds;
}

/** Source that wins at `now`: the capture of this very week, else a relayed item that still holds, else none. */
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
  if (relay !== null && holdsAt(now, relay, window)) {
    return {
      // Zero is how the source says that it does not know the start.
      startsAt: relay.startsAt || window.startsAt,
      endsAt: relay.endsAt ?? window.endsAt,
      item: { name: relay.name, identifier: relay.identifier, blueprint: relay.blueprint },
      fetchedAt: relay.fetchedAt,
    };
  }
  return { ...window, item: null, fetchedAt: null };
}

/** Chaos chest at `now`. `blueprint` is the codex's, over which the source's own wins. */
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

/** When the clock alone can change the chaos chest next: an edge of the window shown, at the latest the turn of the week. */
export function chaosChestNextChangeAt(now: UnixSeconds, featured: TimeWindow, week: Cycle): UnixSeconds {
  const edges = [featured.startsAt, featured.endsAt].filter((edge) => edge > now);
  return Math.min(chaosChestWeekAt(now, week).endsAt, ...edges);
}

/** An item past its end is last week's. One without an end counts only in the week of its fetch, or it would stay for ever. */
function holdsAt(now: UnixSeconds, relay: ChaosChestRelay, week: TimeWindow): boolean {
  if (relay.name === '') return false;
  return relay.endsAt === null ? isWithin(relay.fetchedAt, week) : relay.endsAt > now;
}
