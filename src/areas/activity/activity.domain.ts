import type { BoardPair, BoardRows } from '../../game/board-captures.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';

/** Players of one board who were active between two captures. */
export interface BoardActivity {
  uuid: number;
  name: string;
  category: string;
  activePlayers: number;
}

/** A window in which each active player is counted once. */
export interface Union {
  /** First capture of the window; null until there are two captures. */
  startsAt: UnixSeconds | null;
  /** Null if unknown. */
  estimate: number | null;
}

/** Activity of players since the previous capture; null figures for the first capture. */
export interface CaptureActivity {
  windowEnd: UnixSeconds;
  windowStart: UnixSeconds | null;
  estimate: number | null;
  /** Boards with at least one active player, most active first. */
  byBoard: BoardActivity[];
  day: Union;
  week: Union;
  computedAt: UnixSeconds;
}

/** Maximum span of a union relative to its period. Longer spans are caused by gaps and are not comparable. */
const MAX_STRETCH = 1.5;

/**
 * Players whose score rose, and new players with a score above the lowest of the earlier capture. Without that condition, a
 * capture with more rows would make all additional players active. The rows of a name that appears more than once are compared in
 * the order of their scores.
 */
export function activePlayers(later: BoardRows, earlier: BoardRows): Set<string> {
  const before = scoresByName(earlier);
  const after = scoresByName(later);
  const active = new Set<string>();
  for (const [name, score] of after.best) {
    const isRepeated = after.repeated.has(name) || before.repeated.has(name);
    const isActive = isRepeated
      ? hasRise(allScores(after, name), allScores(before, name), before.lowest)
      : score > (before.best.get(name) ?? before.lowest);
    if (isActive) active.add(name);
  }
  return active;
}

/** Best score of each name, all scores of the few names that appear more than once, and the lowest score of the board. */
interface NamedScores {
  best: Map<string, number>;
  repeated: Map<string, number[]>;
  lowest: number;
}

function scoresByName({ names, scores }: BoardRows): NamedScores {
  const best = new Map<string, number>();
  const repeated = new Map<string, number[]>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const [index, name] of names.entries()) {
    const score = scores[index] ?? Number.NaN;
    lowest = Math.min(lowest, score);
    const first = best.get(name);
    if (first !== undefined) repeated.set(name, [...(repeated.get(name) ?? [first]), score]);
    best.set(name, first === undefined ? score : Math.max(first, score));
  }
  return { best, repeated, lowest };
}

/** Scores of a name, highest first. */
function allScores({ best, repeated }: NamedScores, name: string): number[] {
  const only = best.get(name);
  return repeated.get(name)?.sort((one, other) => other - one) ?? (only === undefined ? [] : [only]);
}

/** Whether a character rose: two lists of scores, highest first. A new score counts above `lowest`. */
function hasRise(after: readonly number[], before: readonly number[], lowest: number): boolean {
  return after.some((score, index) => score > (before[index] ?? lowest));
}

/** Whether a board can be compared: it ranks players and the earlier capture contains it. */
export function isComparable(pair: BoardPair): pair is BoardPair & { earlier: BoardRows; later: BoardRows } {
  return pair.isPlayerBoard && pair.earlier !== null && pair.later !== null && pair.earlier.names.length > 0;
}

/** Boards with activity, most active first. */
export function rankBoards(boards: readonly BoardActivity[]): BoardActivity[] {
  return boards
    .filter(({ activePlayers: count }) => count > 0)
    .sort((one, other) => other.activePlayers - one.activePlayers || one.uuid - other.uuid);
}

/** Whether the span of a union is within `MAX_STRETCH` of its period. */
export function isWithinStretch(startsAt: UnixSeconds, windowEnd: UnixSeconds, periodSeconds: number): boolean {
  return windowEnd - startsAt <= MAX_STRETCH * periodSeconds;
}

/** Seconds after a capture within which later unions can include it. */
export function unionReachSeconds(periodSeconds: number): number {
  return MAX_STRETCH * periodSeconds;
}

/** Length of a window in hours. */
export function hoursBetween(startsAt: UnixSeconds, endsAt: UnixSeconds, decimals: 1 | 2): number {
  return roundTo((endsAt - startsAt) / SECONDS_PER_HOUR, decimals);
}

/** Value of a capture. */
export interface Sample {
  at: UnixSeconds;
  value: number;
}

export interface SeriesPoint {
  /** Mean time of the captures, or time of the extreme that is plotted. */
  at: UnixSeconds;
  /** Value to plot: the mean of the bucket, or the extreme of the series if the bucket contains it. */
  plotted: number;
  mean: number;
  peak: number;
  low: number;
  samples: number;
}

export interface Series {
  bucketSeconds: number;
  points: SeriesPoint[];
  /** Maximum and minimum, each at its own time. */
  peak: Sample | null;
  low: Sample | null;
  /** Mean of the means of the buckets. */
  average: number | null;
  latest: number | null;
}

/** Approximate number of buckets of a series over all captures. */
const BUCKETS_OF_ALL = 120;

/**
 * Groups samples into buckets; empty buckets are omitted. Samples must be in ascending order. A chart of means would hide the
 * extremes of the series, so their buckets plot the extremes. For bucket lengths see `bucketLength`.
 */
export function seriesOf(samples: readonly Sample[], bucketSeconds: number | null): Series {
  const bucket = bucketLength(
    samples.map(({ at }) => at),
    bucketSeconds,
  );
  const groups = [...Map.groupBy(samples, ({ at }) => floorDiv(at, bucket)).values()];
  const peak = extremeOf(samples, (one, other) => one > other);
  const low = extremeOf(samples, (one, other) => one < other);
  const means = groups.map((group) => meanOf(group.map(({ value }) => value)));
  const points = groups.map((group, index) => {
    const mean = roundTo(means[index] ?? 0, 1);
    const extreme = [peak, low].find((candidate) => candidate !== null && group.includes(candidate));
    return {
      at: extreme?.at ?? Math.round(meanOf(group.map(({ at }) => at))),
      plotted: extreme?.value ?? mean,
      mean,
      peak: Math.max(...group.map(({ value }) => value)),
      low: Math.min(...group.map(({ value }) => value)),
      samples: group.length,
    };
  });
  const average = means.length === 0 ? null : roundTo(meanOf(means), 1);
  return { bucketSeconds: bucket, points, peak, low, average, latest: samples.at(-1)?.value ?? null };
}

/** The first extreme of the samples; null for none. */
function extremeOf(samples: readonly Sample[], isMoreExtreme: (one: number, other: number) => boolean): Sample | null {
  return samples.reduce<Sample | null>((best, sample) => (best === null || isMoreExtreme(sample.value, best.value) ? sample : best), null);
}

/**
 * Bucket length: the requested length (null: derived from the span of the captures), but at least the typical interval between
 * captures. Times must be in ascending order.
 */
export function bucketLength(times: readonly UnixSeconds[], bucketSeconds: number | null): number {
  return Math.max(bucketSeconds ?? bucketForSpan(times), typicalInterval(times));
}

/** The samples of a UTC day. */
export interface DaySamples {
  day: UnixSeconds;
  samples: number;
  valueSum: number;
  atSum: number;
  peak: number;
  peakAt: UnixSeconds;
  low: number;
  lowAt: UnixSeconds;
}

/** From this span on, the buckets of a series over all captures are whole days. */
const MAX_SPAN_OF_HOURS = BUCKETS_OF_ALL * SECONDS_PER_DAY;

/** Whether a series over all captures needs its days only. */
export const isLongSeries = (days: readonly Pick<DaySamples, 'day'>[]): boolean =>
  (days.at(-1)?.day ?? 0) - (days[0]?.day ?? 0) > MAX_SPAN_OF_HOURS;

/** Length of the buckets of a series over all captures: whole days. */
export function bucketOfDays(days: readonly Pick<DaySamples, 'atSum' | 'samples'>[]): number {
  const times = days.map(({ atSum, samples }) => atSum / samples);
  return Math.ceil(bucketLength(times, null) / SECONDS_PER_DAY) * SECONDS_PER_DAY;
}

/** The series over all captures, whose buckets are whole days. `latest`: the newest value. */
export function seriesOfDays(days: readonly DaySamples[], latest: number | null): Series {
  const bucket = bucketOfDays(days);
  const extreme = (pick: (day: DaySamples) => Sample, isMore: (one: number, other: number) => boolean) => extremeOf(days.map(pick), isMore);
  const peak = extreme(
    ({ peakAt, peak: value }) => ({ at: peakAt, value }),
    (one, other) => one > other,
  );
  const low = extreme(
    ({ lowAt, low: value }) => ({ at: lowAt, value }),
    (one, other) => one < other,
  );
  const sumOf = (group: readonly DaySamples[], pick: (day: DaySamples) => number) => group.reduce((sum, day) => sum + pick(day), 0);
  const groups = [...Map.groupBy(days, ({ day }) => floorDiv(day, bucket)).entries()].map(([index, group]) => {
    const samples = sumOf(group, (day) => day.samples);
    const has = (sample: Sample | null) => sample !== null && floorDiv(sample.at, bucket) === index;
    return { group, samples, mean: sumOf(group, (day) => day.valueSum) / samples, plotted: [peak, low].find(has) ?? null };
  });
  const points = groups.map(({ group, samples, mean, plotted }) => ({
    at: plotted?.at ?? Math.round(sumOf(group, (day) => day.atSum) / samples),
    plotted: plotted?.value ?? roundTo(mean, 1),
    mean: roundTo(mean, 1),
    peak: Math.max(...group.map((day) => day.peak)),
    low: Math.min(...group.map((day) => day.low)),
    samples,
  }));
  const average = groups.length === 0 ? null : roundTo(meanOf(groups.map(({ mean }) => mean)), 1);
  return { bucketSeconds: bucket, points, peak, low, average, latest };
}

export const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function bucketForSpan(times: readonly UnixSeconds[]): number {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return Math.max(1, Math.ceil(span / BUCKETS_OF_ALL / SECONDS_PER_HOUR)) * SECONDS_PER_HOUR;
}

/** Median interval between captures, rounded to hours. */
function typicalInterval(times: readonly UnixSeconds[]): number {
  const intervals = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const sorted = intervals.sort((one, other) => one - other);
  const middle = ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  return Math.round(middle / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}
