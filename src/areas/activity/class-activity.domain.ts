import type { BoardRows } from '../../game/board-captures.ts';
import { CLASS_ORDER } from '../../game/class-order.data.ts';
import { floorDiv, gameWeekStart, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';
import { MAX_DAY_SPAN_SECONDS, MAX_RESET_WINDOW_SECONDS } from './activity.data.ts';
import { activePlayers, bucketLength, bucketOfDays, meanOf } from './activity.domain.ts';

/** Minimum values for the clean figures; 0 = off. */
export interface CleanThresholds {
  powerRank: number;
  effort: number;
  xp: number;
}

/** Figures of one class at a capture; null if unknown. */
interface ClassFigure {
  classIndex: number;
  players: number;
  cleanPlayers: number | null;
  effortAdded: number | null;
  cleanEffortAdded: number | null;
}

export interface ClassFigures {
  thresholds: CleanThresholds;
  classes: ClassFigure[];
}

/** A value per class index; null if unknown. */
export interface ClassValues {
  active: (number | null)[];
  clean: (number | null)[];
}

/** Boards of a class at a capture; null if the capture lacks the board. */
interface ClassBoards {
  effort: BoardRows;
  powerRank: BoardRows | null;
  xp: BoardRows | null;
}

type IsClean = (name: string) => boolean;

/** Filter for names that reach all thresholds; null if unknown. A name that is missing on a captured board has 0 there. */
export function cleanFilter({ effort, powerRank, xp }: ClassBoards, thresholds: CleanThresholds): IsClean | null {
  if (powerRank === null && thresholds.powerRank > 0) return null;
  const minimums = [
    { scores: scoresOf(effort), min: thresholds.effort },
    { scores: powerRank && scoresOf(powerRank), min: thresholds.powerRank },
    { scores: xp && scoresOf(xp), min: thresholds.xp },
  ];
  return (name) => minimums.every(({ scores, min }) => scores === null || (scores.get(name) ?? 0) >= min);
}

/** Score of the best row of each name. */
function scoresOf({ names, scores }: BoardRows): Map<string, number> {
  const byName = new Map<string, number>();
  for (const [index, name] of names.entries()) if (!byName.has(name)) byName.set(name, scores[index] ?? 0);
  return byName;
}

/** Players on the effort board, and effort gained since `dayBefore`; null if unknown. */
export function classFigure(classIndex: number, effort: BoardRows, isClean: IsClean | null, dayBefore: BoardRows | null): ClassFigure {
  const later = scoresOf(effort);
  const names = [...later.keys()];
  const cleanNames = isClean && names.filter(isClean);
  const earlier = dayBefore && scoresOf(dayBefore);
  const gainOf = (counted: readonly string[]) =>
    earlier &&
    Math.round(
      counted.reduce((sum, name) => sum + Math.max(0, (later.get(name) ?? 0) - (earlier.get(name) ?? Number.POSITIVE_INFINITY)), 0),
    );
  return {
    classIndex,
    players: names.length,
    cleanPlayers: cleanNames?.length ?? null,
    effortAdded: gainOf(names),
    cleanEffortAdded: cleanNames && gainOf(cleanNames),
  };
}

/** Names active in a window, and the clean ones among them; null if unknown. */
export interface ActiveSets {
  active: ReadonlySet<string> | null;
  clean: ReadonlySet<string> | null;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Names active between two captures. `isClean` applies the thresholds at the later capture. */
export function activeSets(
  window: { start: UnixSeconds; end: UnixSeconds },
  rows: { earlier: BoardRows | null; later: BoardRows | null },
  isClean: IsClean | null,
): ActiveSets {
  if (crossesWeek(window.start, window.end)) {
    const names = window.end - window.start <= MAX_RESET_WINDOW_SECONDS ? NO_NAMES : null;
    return { active: names, clean: names };
  }
  const { earlier, later } = rows;
  const active = earlier && later && earlier.names.length > 0 ? activePlayers(later, earlier) : NO_NAMES;
  return { active, clean: isClean && new Set([...active].filter(isClean)) };
}

/** Whether there is a weekly reset in `(from, to]`. */
export function crossesWeek(from: UnixSeconds, to: UnixSeconds): boolean {
  return gameWeekStart(to) > from;
}

/** Whether a window counts as one day. */
export function isWithinDay(startsAt: UnixSeconds, windowEnd: UnixSeconds): boolean {
  return windowEnd - startsAt <= MAX_DAY_SPAN_SECONDS;
}

/** Figures of a class with its share of all players, 4 decimals. */
interface RankedClass extends ClassFigure {
  share: number;
  cleanShare: number | null;
}

interface ClassTotals {
  players: number;
  cleanPlayers: number | null;
  effortAdded: number | null;
  cleanEffortAdded: number | null;
}

/** Classes with players, most clean players first, then most players. Totals are sums of the known figures. */
export function rankClasses(figures: readonly ClassFigure[]): { classes: RankedClass[]; totals: ClassTotals } {
  const present = figures.filter(({ players }) => players > 0);
  const totals = {
    players: present.reduce((sum, { players }) => sum + players, 0),
    cleanPlayers: sumOfKnown(present.map(({ cleanPlayers }) => cleanPlayers)),
    effortAdded: sumOfKnown(present.map(({ effortAdded }) => effortAdded)),
    cleanEffortAdded: sumOfKnown(present.map(({ cleanEffortAdded }) => cleanEffortAdded)),
  };
  const share = (part: number, all: number) => (all === 0 ? 0 : roundTo(part / all, 4));
  const classes = present.map((figure) => ({
    ...figure,
    share: share(figure.players, totals.players),
    cleanShare: figure.cleanPlayers === null ? null : share(figure.cleanPlayers, totals.cleanPlayers ?? 0),
  }));
  classes.sort(
    (one, other) =>
      (other.cleanPlayers ?? -1) - (one.cleanPlayers ?? -1) || other.players - one.players || one.classIndex - other.classIndex,
  );
  return { classes, totals };
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Values of a capture. */
export interface ClassSample {
  at: UnixSeconds;
  values: ClassValues;
}

export interface ClassSeries {
  bucketSeconds: number;
  /** Mean time of the captures of each bucket. */
  buckets: UnixSeconds[];
  /** One value per class and bucket. */
  classes: ClassValues[];
}

/** Groups samples into buckets that all classes share. Samples must be in ascending order. */
export function classSeriesOf(samples: readonly ClassSample[], bucketSeconds: number | null): ClassSeries {
  const bucket = bucketLength(
    samples.map(({ at }) => at),
    bucketSeconds,
  );
  const groups = [...Map.groupBy(samples, ({ at }) => floorDiv(at, bucket)).values()];
  return {
    bucketSeconds: bucket,
    buckets: groups.map((group) => Math.round(meanOf(group.map(({ at }) => at)))),
    classes: CLASS_ORDER.map((_, index) => ({
      active: bucketValues(groups.map((group) => group.map(({ values }) => values.active[index] ?? null))),
      clean: bucketValues(groups.map((group) => group.map(({ values }) => values.clean[index] ?? null))),
    })),
  };
}

/** The known values of a class in the captures of a day. */
export interface ClassSums {
  n: number;
  sum: number;
  /** Null without values. */
  max: number | null;
}

/** The captures of a UTC day, with their values by class index. */
export interface ClassDay {
  day: UnixSeconds;
  firstAt: UnixSeconds;
  samples: number;
  atSum: number;
  active: ClassSums[];
  clean: ClassSums[];
}

/** The series over all captures, whose buckets are whole days. Days must be in ascending order. */
export function classSeriesOfDays(days: readonly ClassDay[]): ClassSeries {
  const bucket = bucketOfDays(days);
  const groups = [...Map.groupBy(days, ({ day }) => floorDiv(day, bucket)).values()];
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const valuesOf = (kind: 'active' | 'clean', index: number) =>
    bucketMeans(
      groups.map((group) => {
        const sums = group.flatMap((day) => day[kind][index] ?? []);
        return { n: sumOf(sums.map(({ n }) => n)), sum: sumOf(sums.map(({ sum }) => sum)), max: maxOf(sums.map(({ max }) => max)) };
      }),
    );
  return {
    bucketSeconds: bucket,
    buckets: groups.map((group) => Math.round(sumOf(group.map(({ atSum }) => atSum)) / sumOf(group.map(({ samples }) => samples)))),
    classes: CLASS_ORDER.map((_, index) => ({ active: valuesOf('active', index), clean: valuesOf('clean', index) })),
  };
}

/** The maximum of the known values; null for none. */
const maxOf = (values: readonly (number | null)[]): number | null =>
  values.reduce((max, value) => (max === null || (value !== null && value > max) ? value : max), null);

function bucketValues(groups: readonly (readonly (number | null)[])[]): (number | null)[] {
  return bucketMeans(
    groups.map((group) => {
      const known = group.filter((value) => value !== null);
      return { n: known.length, sum: known.reduce((sum, value) => sum + value, 0), max: maxOf(known) };
    }),
  );
}

/** Mean of each bucket, except the first one with the maximum of the series, which has the maximum; null for a bucket without values. */
function bucketMeans(buckets: readonly ClassSums[]): (number | null)[] {
  const maximum = maxOf(buckets.map(({ max }) => max));
  const bucketOfMaximum = buckets.findIndex(({ max }) => max === maximum);
  return buckets.map(({ n, sum }, index) => (n === 0 ? null : index === bucketOfMaximum ? maximum : roundTo(sum / n, 1)));
}
