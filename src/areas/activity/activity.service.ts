import type { CaptureBoards } from '../../game/board-captures.ts';
import { log } from '../../platform/kit/logging.ts';
import { runInBackground } from '../../platform/kit/tasks.ts';
import { type Clock, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { BoundedMap, createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import { DAY_SECONDS, SERIES_PERIODS, type SeriesPeriodName, WEEK_SECONDS } from './activity.data.ts';
import {
  activePlayers,
  type BoardActivity,
  isComparable,
  isLongSeries,
  isWithinStretch,
  rankBoards,
  type Series,
  seriesOf,
  seriesOfDays,
  type Union,
} from './activity.domain.ts';
import type { ActivityFigures, ActivityStore, Revised } from './activity.store.ts';
import { NameHashes } from './name-hashes.domain.ts';

interface ActivityServiceDeps {
  store: ActivityStore;
  /** Source of `computedAt`. */
  clock: Clock;
  /** Called after the figures of a capture are stored. */
  onFigures(now: UnixSeconds): Promise<void>;
}

/** `isExpired`: it cannot be recomputed, because sets of its window have expired. */
type ComputedUnion = Union & { isExpired: boolean };

/** Captures recomputed per run. */
const REFRESH_BATCH_SIZE = 20;

export function createActivityService({ store, clock, onFigures }: ActivityServiceDeps) {
  /** First capture of a window; null if there are fewer than two captures. */
  async function findWindowStart(windowEnd: UnixSeconds, periodSeconds: number): Promise<UnixSeconds | null> {
    const start = await store.findStart(windowEnd - periodSeconds);
    return start !== null && start < windowEnd ? start : null;
  }

  /** Union of a window: the size of its sets. Null if the window is too long or, `isExpired`, a set is missing. */
  async function toUnion(
    startsAt: UnixSeconds | null,
    windowEnd: UnixSeconds,
    periodSeconds: number,
    players: NameHashes,
    seen: Set<UnixSeconds>,
  ): Promise<ComputedUnion> {
    const unknown = { startsAt, estimate: null };
    if (startsAt === null || !isWithinStretch(startsAt, windowEnd, periodSeconds)) return { ...unknown, isExpired: false };
    const isComplete = (await store.countSets(startsAt, windowEnd)) === seen.size;
    return isComplete ? { startsAt, estimate: players.size, isExpired: false } : { ...unknown, isExpired: true };
  }

  /** Computes both unions in one pass: first the sets of the day, then the older sets of the week. */
  async function computeUnions(windowEnd: UnixSeconds) {
    const dayStart = await findWindowStart(windowEnd, DAY_SECONDS);
    const weekStart = await findWindowStart(windowEnd, WEEK_SECONDS);
    const players = new NameHashes();
    const seen = new Set<UnixSeconds>();
    const addSets = async (after: UnixSeconds | null, until: UnixSeconds | null, periodSeconds: number) => {
      if (after === null || until === null || !isWithinStretch(after, windowEnd, periodSeconds)) return;
      for await (const { anchor, hashes } of store.readSets(after, until)) {
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

  /** Recomputes what is outdated. A figure whose sets have expired keeps its value. */
  async function updateUnions(windowEnd: UnixSeconds): Promise<void> {
    const stale = await store.findStale(windowEnd);
    if (!stale) return;
    const { day, week } = await computeUnions(windowEnd);
    const isDayKept = day.isExpired && stale.estimateDay !== null;
    const isWeekKept = week.isExpired && stale.estimateWeek !== null;
    const kept = [...(stale.isDayStale && isDayKept ? ['24 hours'] : []), ...(isWeekKept ? ['7 days'] : [])];
    if (kept.length > 0) log({ level: 'warn', message: 'expired activity figures keep their values', capture: windowEnd, figures: kept });
    await store.saveUnions(stale, { ...(stale.isDayStale && !isDayKept && { day }), ...(!isWeekKept && { week }) });
  }

  return {
    /** Computes and stores the figures of a capture. Idempotent. */
    async replace(capture: CaptureBoards): Promise<void> {
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
      await store.save(row, players.toWords());
      await updateUnions(anchor);
      await onFigures(now);
    },

    /** Recomputes figures invalidated by a backfilled capture, oldest first. */
    async refresh(signal: AbortSignal): Promise<void> {
      for (const windowEnd of await store.listStale(REFRESH_BATCH_SIZE)) {
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
export type ActivityReads = ReturnType<typeof createActivityReads>;

export function createActivityReads(store: ActivityStore) {
  const { newest, getOrCompute, invalidate } = createCaptureCache(() => store.newest());

  return {
    /** The newest capture; null before the first. */
    current: newest,
    invalidateReads: invalidate,

    history(days: number, now: UnixSeconds): Promise<ActivityHistory> {
      return getOrCompute(`history ${days}`, now, async () => {
        const windowStart = now - days * SECONDS_PER_DAY;
        return { windowStart, windowEnd: now, figures: await store.listFigures(windowStart, now) };
      });
    },

    series(period: SeriesPeriodName, now: UnixSeconds): Promise<ActivitySeries> {
      return getOrCompute(`series ${period}`, now, async () => {
        const { days, bucketSeconds } = SERIES_PERIODS[period];
        const kept = days === null ? await store.listDays() : [];
        if (isLongSeries(kept)) {
          const [oldest, last] = [kept[0]?.day ?? 0, kept.at(-1)?.day ?? 0];
          const bounds = await Promise.all([oldest, last].map((day) => store.listFigures(day, Math.min(now, day + SECONDS_PER_DAY - 1))));
          const [first, newest] = bounds.map((found) => found.filter(({ estimateDay }) => estimateDay !== null));
          const latest = newest?.at(-1)?.estimateDay ?? null;
          return { ...seriesOfDays(kept, latest), period, windowStart: first?.[0]?.windowEnd ?? oldest, windowEnd: now };
        }
        const figures = await store.listFigures(days === null ? 0 : now - days * SECONDS_PER_DAY, now);
        const samples = figures.flatMap(({ windowEnd, estimateDay }) =>
          estimateDay === null ? [] : [{ at: windowEnd, value: estimateDay }],
        );
        const windowStart = days === null ? (samples[0]?.at ?? now) : now - days * SECONDS_PER_DAY;
        return { ...seriesOf(samples, bucketSeconds), period, windowStart, windowEnd: now };
      });
    },
  };
}

/** Cache TTL of the newest capture in the isolate. */
const NEWEST_TTL_MS = 2000;
const RESPONSE_TTL_SECONDS = 1800;
const MAX_RESPONSES = 50;

/** Caches the newest capture, and values computed from captures for 30 minutes or until figures of any capture change. */
export function createCaptureCache<Capture extends Revised>(read: () => Promise<Capture | null>) {
  const newest = createRevalidatingCache(read, NEWEST_TTL_MS);
  let responses = new BoundedMap<string, { value: unknown; revision: number | undefined; at: UnixSeconds }>(MAX_RESPONSES);

  return {
    newest: newest.get,

    /** Returns the cached value if it is younger than 30 minutes and no figures were stored since; otherwise computes it. */
    async getOrCompute<Value>(name: string, now: UnixSeconds, compute: () => Promise<Value>): Promise<Value> {
      const entry = responses.get(name);
      const isYoung = entry !== undefined && now >= entry.at && now < entry.at + RESPONSE_TTL_SECONDS;
      const known = newest.get();
      if (known instanceof Promise && !isYoung) {
        // Does not wait for the revision. Computed again for the cache, because figures may be stored between the two reads.
        const [value, capture] = await Promise.all([compute(), known]);
        runInBackground(async () => responses.set(name, { value: await compute(), revision: capture?.revision, at: now }));
        return value;
      }
      const revision = (await known)?.revision;
      if (isYoung && entry.revision === revision) return entry.value as Value;
      const value = await compute();
      responses.set(name, { value, revision, at: now });
      return value;
    },

    invalidate() {
      newest.invalidate();
      responses = new BoundedMap(MAX_RESPONSES);
    },
  };
}
