import type { CaptureBoards } from '../../game/board-captures.ts';
import { type Clock, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { DAY_SECONDS, SERIES_PERIODS, type SeriesPeriodName, WEEK_SECONDS } from './activity.data.ts';
import {
  activePlayers,
  type BoardActivity,
  type CaptureActivity,
  isComparable,
  isWithinStretch,
  rankBoards,
  type Union,
  unionReachSeconds,
} from './activity.domain.ts';
import type { ActivityFigures, ActivityRepository } from './activity.store.ts';
import { createCaptureCache } from './capture-cache.service.ts';
import { NameHashes } from './name-hashes.domain.ts';
import { type Series, seriesOf } from './series.domain.ts';

interface ActivityServiceDeps {
  repository: ActivityRepository;
  /** Source of `computedAt`. */
  clock: Clock;
  /** Called after the figures of a capture are stored. */
  onFigures(now: UnixSeconds): Promise<void>;
}

/** Captures recomputed per run. */
const REFRESH_BATCH_SIZE = 20;

export function createActivityService({ repository, clock, onFigures }: ActivityServiceDeps) {
  /** First capture of a window; null if there are fewer than two captures. */
  async function findWindowStart(windowEnd: UnixSeconds, periodSeconds: number): Promise<UnixSeconds | null> {
    const start = await repository.findStart(windowEnd - periodSeconds);
    return start !== null && start < windowEnd ? start : null;
  }

  /** Estimate of a window: size of the union of its sets. Null if the window is too long or a set is missing. */
  async function toUnion(
    startsAt: UnixSeconds | null,
    windowEnd: UnixSeconds,
    periodSeconds: number,
    players: NameHashes,
    seen: Set<UnixSeconds>,
  ) {
    if (startsAt === null || !isWithinStretch(startsAt, windowEnd, periodSeconds)) return { startsAt, estimate: null };
    const isComplete = (await repository.countSets(startsAt, windowEnd)) === seen.size;
    return { startsAt, estimate: isComplete ? players.size : null };
  }

  /** Computes both unions in one pass: first the sets of the day, then the older sets of the week. */
  async function computeUnions(windowEnd: UnixSeconds): Promise<{ day: Union; week: Union }> {
    const dayStart = await findWindowStart(windowEnd, DAY_SECONDS);
    const weekStart = await findWindowStart(windowEnd, WEEK_SECONDS);
    const players = new NameHashes();
    const seen = new Set<UnixSeconds>();
    const addSets = async (after: UnixSeconds | null, until: UnixSeconds | null, periodSeconds: number) => {
      if (after === null || until === null || !isWithinStretch(after, windowEnd, periodSeconds)) return;
      for await (const { anchor, hashes } of repository.readSets(after, until)) {
        seen.add(anchor);
        players.addWords(hashes);
      }
    };
    await addSets(dayStart, windowEnd, DAY_SECONDS);
    const day = await toUnion(dayStart, windowEnd, DAY_SECONDS, players, seen);
    const isDayIncluded = dayStart !== null && isWithinStretch(dayStart, windowEnd, DAY_SECONDS);
    await addSets(weekStart, isDayIncluded ? dayStart : windowEnd, WEEK_SECONDS);
    return { day, week: await toUnion(weekStart, windowEnd, WEEK_SECONDS, players, seen) };
  }

  async function updateUnions(windowEnd: UnixSeconds): Promise<void> {
    const { day, week } = await computeUnions(windowEnd);
    await repository.saveUnions(windowEnd, day, week);
  }

  return {
    /** Computes and stores the figures of a capture. Idempotent. */
    async onCapture(capture: CaptureBoards): Promise<void> {
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
      await repository.save(row, players.toWords(), unionReachSeconds(WEEK_SECONDS));
      await updateUnions(anchor);
      await onFigures(now);
    },

    /** Recomputes figures invalidated by a backfilled capture, oldest first. */
    async refresh(signal: AbortSignal): Promise<void> {
      for (const windowEnd of await repository.listStale(REFRESH_BATCH_SIZE)) {
        if (signal.aborted) return;
        await updateUnions(windowEnd);
      }
    },
  };
}

export interface ActivityHistory {
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  figures: ActivityFigures[];
}

export interface ActivitySeries extends Series {
  period: SeriesPeriodName;
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
}

/** Reads of activity, cached for 30 minutes or until the next capture. */
export interface ActivityReads {
  /** The newest capture; null before the first. */
  current(): CaptureActivity | null | Promise<CaptureActivity | null>;
  history(days: number, now: UnixSeconds): Promise<ActivityHistory>;
  series(period: SeriesPeriodName, now: UnixSeconds): Promise<ActivitySeries>;
  invalidateReads(): void;
}

export function createActivityReads(repository: ActivityRepository): ActivityReads {
  const { newest, getOrCompute, invalidate } = createCaptureCache(() => repository.newest());

  return {
    current: newest,
    invalidateReads: invalidate,

    history(days, now) {
      return getOrCompute(`history ${days}`, now, async () => {
        const windowStart = now - days * SECONDS_PER_DAY;
        return { windowStart, windowEnd: now, figures: await repository.listFigures(windowStart, now) };
      });
    },

    series(period, now) {
      return getOrCompute(`series ${period}`, now, async () => {
        const { days, bucketSeconds } = SERIES_PERIODS[period];
        const figures = await repository.listFigures(days === null ? 0 : now - days * SECONDS_PER_DAY, now);
        const samples = figures.flatMap(({ windowEnd, estimateDay }) =>
          estimateDay === null ? [] : [{ at: windowEnd, value: estimateDay }],
        );
        const windowStart = days === null ? (samples[0]?.at ?? now) : now - days * SECONDS_PER_DAY;
        return { ...seriesOf(samples, bucketSeconds), period, windowStart, windowEnd: now };
      });
    },
  };
}
