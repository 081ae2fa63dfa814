import type { CaptureBoards } from '../../game/board-captures.ts';
import type { Clock, UnixSeconds } from '../../platform/time/clock.ts';
import { DAY_SECONDS, WEEK_SECONDS } from './activity.data.ts';
import { activePlayers, type BoardActivity, isComparable, isWithinStretch, rankBoards, reachOf, type Union } from './activity.domain.ts';
import type { ActivityRepository } from './activity.repository.ts';
import { NameHashes } from './name-hashes.domain.ts';

export interface ActivityServiceDeps {
  repository: ActivityRepository;
  /** When figures are computed: a capture carries its own time, not this one. */
  clock: Clock;
  /** Called when a capture is stored with all its figures. */
  onFigures(now: UnixSeconds): Promise<void>;
}

export interface ActivityService {
  /** Computes and stores the figures of a capture. Idempotent. */
  onCapture(capture: CaptureBoards): Promise<void>;
  /** Recomputes figures invalidated by a backfilled capture, oldest first. */
  refresh(signal: AbortSignal): Promise<void>;
}

/** Captures recomputed per run. */
const REFRESH_BATCH_SIZE = 20;

export function createActivityService({ repository, clock, onFigures }: ActivityServiceDeps): ActivityService {
  /** Start of a stretch that ends with a capture; null before there are two captures. */
  async function startOf(windowEnd: UnixSeconds, periodSeconds: number): Promise<UnixSeconds | null> {
    const start = await repository.startFor(windowEnd - periodSeconds);
    return start !== null && start < windowEnd ? start : null;
  }

  /** Estimate of a window from the union of its sets; null when the window is too long or a set is missing. */
  async function unionOf(
    startsAt: UnixSeconds | null,
    windowEnd: UnixSeconds,
    periodSeconds: number,
    players: NameHashes,
    seen: Set<UnixSeconds>,
  ) {
    if (startsAt === null || !isWithinStretch(startsAt, windowEnd, periodSeconds)) return { startsAt, estimate: null };
    const isWhole = (await repository.countSets(startsAt, windowEnd)) === seen.size;
    return { startsAt, estimate: isWhole ? players.size : null };
  }

  /** Unites the sets back from a capture: those of the day first, then on to those of the week. */
  async function computeUnions(windowEnd: UnixSeconds): Promise<{ day: Union; week: Union }> {
    const dayStart = await startOf(windowEnd, DAY_SECONDS);
    const weekStart = await startOf(windowEnd, WEEK_SECONDS);
    const players = new NameHashes();
    const seen = new Set<UnixSeconds>();
    const addSets = async (after: UnixSeconds | null, until: UnixSeconds | null, periodSeconds: number) => {
      if (after === null || until === null || !isWithinStretch(after, windowEnd, periodSeconds)) return;
      for await (const { anchor, hashes } of repository.sets(after, until)) {
        seen.add(anchor);
        players.addWords(hashes);
      }
    };
    await addSets(dayStart, windowEnd, DAY_SECONDS);
    const day = await unionOf(dayStart, windowEnd, DAY_SECONDS, players, seen);
    const isDayIn = dayStart !== null && isWithinStretch(dayStart, windowEnd, DAY_SECONDS);
    await addSets(weekStart, isDayIn ? dayStart : windowEnd, WEEK_SECONDS);
    return { day, week: await unionOf(weekStart, windowEnd, WEEK_SECONDS, players, seen) };
  }

  async function updateUnions(windowEnd: UnixSeconds): Promise<void> {
    const { day, week } = await computeUnions(windowEnd);
    await repository.saveUnions(windowEnd, day, week);
  }

  return {
    async onCapture(capture) {
      const players = new NameHashes();
      const boards: BoardActivity[] = [];
      if (capture.previousAnchor !== null) {
        for await (const pair of capture.boards()) {
          if (!isComparable(pair)) continue;
          const active = activePlayers(pair.later, pair.earlier);
          for (const name of active) players.add(name);
          boards.push({ uuid: pair.uuid, name: pair.name, category: pair.category, activePlayers: active.size });
        }
      }
      const { anchor, previousAnchor } = capture;
      const now = clock();
      const estimate = previousAnchor === null ? null : players.size;
      const row = { windowEnd: anchor, windowStart: previousAnchor, estimate, byBoard: rankBoards(boards), computedAt: now };
      await repository.save(row, players.toWords(), reachOf(WEEK_SECONDS));
      await updateUnions(anchor);
      await onFigures(now);
    },

    async refresh(signal) {
      for (const windowEnd of await repository.stale(REFRESH_BATCH_SIZE)) {
        if (signal.aborted) return;
        await updateUnions(windowEnd);
      }
    },
  };
}
