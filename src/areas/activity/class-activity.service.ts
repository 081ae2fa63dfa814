import type { BoardRows, CaptureBoards } from '../../game/board-captures.ts';
import { CLASS_ORDER } from '../../game/class-order.data.ts';
import { log } from '../../platform/kit/logging.ts';
import { type Clock, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { EFFORT_BOARDS, POWER_RANK_BOARDS, SERIES_PERIODS, type SeriesPeriodName, XP_BOARD } from './activity.data.ts';
import { isLongSeries } from './activity.domain.ts';
import { createCaptureCache } from './activity.service.ts';
import {
  type ActiveSets,
  activeSets,
  type ClassSeries,
  type CleanThresholds,
  classFigure,
  classSeriesOf,
  classSeriesOfDays,
  cleanFilter,
  crossesWeek,
  isWithinDay,
} from './class-activity.domain.ts';
import type { ClassActivityStore, ClassSet } from './class-activity.store.ts';
import { NameHashes } from './name-hashes.domain.ts';

interface ClassActivityDeps {
  store: ClassActivityStore;
  settings: { current(): Settings | Promise<Settings> };
  clock: Clock;
}

/** Captures recomputed per run. */
const REFRESH_BATCH_SIZE = 20;

const NO_ROWS: BoardRows = { names: [], scores: [] };

export const thresholdsOf = (settings: Settings): CleanThresholds => ({
  powerRank: settings.classActivityPowerRankThreshold,
  effort: settings.classActivityEffortThreshold,
  xp: settings.classActivityXpThreshold,
});

export function createClassActivityService({ store, settings, clock }: ClassActivityDeps) {
  /** The capture one day before; null if a gap or the weekly reset makes gains since then incomparable. */
  async function findDayBefore({ anchor, newestAtOrBefore }: CaptureBoards): Promise<UnixSeconds | null> {
    const before = await newestAtOrBefore(anchor - SECONDS_PER_DAY);
    return before !== null && isWithinDay(before, anchor) && !crossesWeek(before, anchor) ? before : null;
  }

  /** Recomputes the values of a capture. Values whose sets have expired stay. */
  async function updateValues(windowEnd: UnixSeconds): Promise<void> {
    const stale = await store.findStale(windowEnd);
    if (!stale) return;
    const start = await store.newestUntil(windowEnd - SECONDS_PER_DAY);
    const unions: { active: number | null; clean: number | null }[] = [];
    const isKnown = start !== null && isWithinDay(start, windowEnd);
    const windows = isKnown ? await store.countCaptures(start, windowEnd) : 0;
    let isExpired = false;
    for (const classIndex of CLASS_ORDER.keys()) {
      const sets = isKnown ? await store.listSets(classIndex, start, windowEnd) : [];
      const isComplete = isKnown && sets.length === windows;
      isExpired ||= isKnown && !isComplete;
      unions.push({
        active: isComplete ? unionSize(sets.map(({ active }) => active)) : null,
        clean: isComplete ? unionSize(sets.map(({ clean }) => clean)) : null,
      });
    }
    const { active, clean } = stale.dayValues;
    const isKept = isExpired && [...active, ...clean].some((value) => value !== null);
    if (isKept) log({ level: 'warn', message: 'expired class activity keeps its values', capture: windowEnd });
    const values = { active: unions.map((union) => union.active), clean: unions.map((union) => union.clean) };
    await store.saveValues(stale, isKept ? null : values);
  }

  return {
    /** Computes and stores the class figures of a capture. Idempotent. */
    async replace(capture: CaptureBoards): Promise<void> {
      const { anchor, previousAnchor, rows } = capture;
      const thresholds = thresholdsOf(await settings.current());
      const xp = await rows(XP_BOARD, anchor);
      const before = await findDayBefore(capture);
      const classes = [];
      const sets: ClassSet[] = [];
      for (const classIndex of CLASS_ORDER.keys()) {
        const effortBoard = EFFORT_BOARDS + classIndex;
        const later = await rows(effortBoard, anchor);
        const effort = later ?? NO_ROWS;
        const isClean = cleanFilter({ effort, powerRank: await rows(POWER_RANK_BOARDS + classIndex, anchor), xp }, thresholds);
        const base = before === null ? null : ((await rows(effortBoard, before)) ?? NO_ROWS);
        classes.push(classFigure(classIndex, effort, isClean, base));
        if (previousAnchor === null) continue;
        const earlier = await rows(effortBoard, previousAnchor);
        sets.push(hashSets(activeSets({ start: previousAnchor, end: anchor }, { earlier, later }, isClean)));
      }
      const row = { windowEnd: anchor, windowStart: previousAnchor, computedAt: clock(), figures: { thresholds, classes } };
      await store.save(row, sets);
      await updateValues(anchor);
    },

    /** Recomputes values invalidated by a backfilled capture, oldest first. */
    async refresh(signal: AbortSignal): Promise<void> {
      for (const windowEnd of await store.listStale(REFRESH_BATCH_SIZE)) {
        if (signal.aborted) return;
        await updateValues(windowEnd);
      }
    },
  };
}

function hashSets({ active, clean }: ActiveSets): ClassSet {
  const hashNames = (names: ReadonlySet<string> | null) => {
    if (names === null) return null;
    const hashes = new NameHashes();
    for (const name of names) hashes.add(name);
    return hashes.toWords();
  };
  return { active: hashNames(active), clean: hashNames(clean) };
}

/** Size of the union of the sets; null if one of them is unknown. */
function unionSize(sets: readonly (Uint32Array | null)[]): number | null {
  const union = new NameHashes();
  for (const set of sets) {
    if (set === null) return null;
    union.addWords(set);
  }
  return union.size;
}

export interface ClassActivitySeries extends ClassSeries {
  period: SeriesPeriodName;
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
}

/** Reads of class activity, cached for 30 minutes or until the next capture. */
export type ClassActivityReads = ReturnType<typeof createClassActivityReads>;

export function createClassActivityReads(store: ClassActivityStore) {
  const { newest, getOrCompute, invalidate } = createCaptureCache(() => store.newest());
  return {
    /** The newest capture; null before the first. */
    current: newest,
    invalidateReads: invalidate,

    series(period: SeriesPeriodName, now: UnixSeconds): Promise<ClassActivitySeries> {
      return getOrCompute(period, now, async () => {
        const { days, bucketSeconds } = SERIES_PERIODS[period];
        const kept = days === null ? await store.listDays() : [];
        if (isLongSeries(kept)) return { ...classSeriesOfDays(kept), period, windowStart: kept[0]?.firstAt ?? now, windowEnd: now };
        const since = days === null ? 0 : now - days * SECONDS_PER_DAY;
        const samples = await store.listSamples(since, now);
        const windowStart = days === null ? (samples[0]?.at ?? now) : since;
        return { ...classSeriesOf(samples, bucketSeconds), period, windowStart, windowEnd: now };
      });
    },
  };
}
