import { checkInteger, checkNumber, type FieldPath, InputError } from '../../../platform/kit/errors/input-error.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import {
  ARCANE,
  COSMIC,
  ELEMENTS,
  type ElementId,
  FIERCE,
  LESSER,
  LIGHT,
  MAGIC_DAMAGE,
  PHYSICAL_DAMAGE,
  RESTRICTIONS,
  type RestrictionId,
  type RollStatId,
  STATS,
  type TierId,
  TYPES,
  type TypeId,
  WATER,
} from '../gem.data.ts';
import { POSITIONS, type StatPosition, viewGem } from '../gem.domain.ts';
import { calculatePowerRank, countBoosts, getFigures, incrementAt, powerRankShare, type StatFigures } from '../gem-figures.domain.ts';
import { checkLevel, checkOptionalId, checkRollStat, type Maybe, parseGem, TIER_IDS, TYPE_IDS } from '../gem-input.domain.ts';
import { createFocusPlan } from './focus-plan.domain.ts';

/** A stat with its displayed `value`, or with containers. */
interface RequestedStat {
  type: number;
  value?: number | undefined;
  extra_containers?: Maybe<number>;
  containers?: unknown;
}

/** Displayed values of a gem, or a gem of the simulator, either in `gem` or as the body itself. */
export interface EvaluateRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  level?: Maybe<number>;
  stats?: readonly RequestedStat[] | undefined;
  gem?: unknown;
  auto_guess_procs?: Maybe<boolean>;
}

/** Tolerance of the range for rounded displayed values. */
const TOLERANCE = 0.05;

/** A validated request; element and restriction are derived from the stats. */
interface EnteredGem {
  tier: TierId;
  type: TypeId;
  level: number;
  element: ElementId;
  restriction: RestrictionId | null;
  stats: EnteredStats;
  /** The boosts of each stat are those of a simulated gem: they do not have to match the level. */
  hasKnownBoosts: boolean;
}

interface EnteredStat {
  type: RollStatId;
  value: number;
  extra: number;
}

type EnteredStats = readonly [EnteredStat, EnteredStat, EnteredStat];

/** Boosts on each of the three stats of a gem. */
type BoostSplit = [number, number, number];

/** Average position of the containers of a stat in the roll range, derived from the displayed value. */
export interface MeasuredStat {
  containers: number;
  /** Value per container without level steps, in units of the base of the stat. */
  threshold: number;
  /** 0 at the low end of the range, 1 at the high end; outside 0 to 1 for an impossible value. */
  raw: number;
  /** `raw`, clamped to 0 to 1. */
  progress: number;
}

/** An entered stat, measured with its given or derived boosts. */
type MeasuredEnteredStat = EnteredStat & MeasuredStat;

/** Calculates quality and Power Rank of a gem from its displayed values, and the focuses to max it. */
export function evaluateGem(request: EvaluateRequest) {
  const gem = readSimulatorGem(request) ?? checkRequest(request);
  const { tier, type, level, element, restriction } = gem;
  const available = countBoosts(level);
  const split = resolveSplit(gem, available, request.auto_guess_procs === true);
  const stats = POSITIONS.map((position) => measureEntered(gem, position, split[position]));

  const containers = stats.reduce((sum, stat) => sum + stat.containers, 0);
  const quality = stats.reduce((sum, stat) => sum + stat.progress * stat.containers, 0) / containers;
  const shares = stats.map((stat) => powerRankShare(tier, type, stat.containers, stat.progress));
  const issues = stats.filter((stat) => !isWithinRange(stat.raw)).map(describeIssue);
  return {
    tier,
    type,
    type_name: TYPES[type],
    element,
    element_name: ELEMENTS[element].name,
    restriction,
    restriction_name: restriction === null ? 'Any' : RESTRICTIONS[restriction].name,
    level,
    quality: roundTo(quality, 4),
    quality_percent: roundTo(100 * quality, 2),
    calculated_power_rank: roundTo(calculatePowerRank(tier, type, level, shares), 0),
    has_issues: issues.length > 0,
    issues,
    stats: stats.map((stat) => toEvaluatedStat(stat, powerRankShare(tier, type, stat.containers, stat.progress))),
    ...createFocusPlan(stats),
    available_extra_containers: available,
    guessed_distribution: split,
  };
}

/** Displayed values of a gem of the simulator; null if the request has none. */
function readSimulatorGem(request: EvaluateRequest): EnteredGem | null {
  const { gem, stats = [] } = request;
  const isWrapped = gem !== null && gem !== undefined;
  const isGemBody = stats.length > 0 && stats.every(({ value, containers }) => value === undefined && containers !== undefined);
  if (!isWrapped && !isGemBody) return null;
  const view = viewGem(parseGem(isWrapped ? gem : request, () => 0, isWrapped ? ['gem'] : []));
  const entered = view.stats.map((stat, index): EnteredStat => {
    const [value = 0] = Object.values(view.stat_values[index] ?? {});
    return { type: stat.type, value, extra: stat.containers.length - 1 };
  });
  const { tier, type, level, element } = view;
  return {
    tier,
    type,
    level,
    element,
    restriction: restrictionOf(entered),
    stats: entered as [EnteredStat, EnteredStat, EnteredStat],
    hasKnownBoosts: true,
  };
}

function checkRequest(request: EvaluateRequest): EnteredGem {
  const tier = checkOptionalId(request.tier, TIER_IDS, ['tier'], 4);
  const type = checkOptionalId(request.type, TYPE_IDS, ['type'], LESSER);
  const level = checkLevel(request.level, tier);
  const stats = checkStats(request.stats);
  const element = stats.some((stat) => stat.type === LIGHT) ? COSMIC : WATER;
  return { tier, type, level, element, restriction: restrictionOf(stats), stats, hasKnownBoosts: false };
}

function restrictionOf(stats: readonly EnteredStat[]): RestrictionId | null {
  const types = stats.map((stat) => stat.type);
  return types.includes(PHYSICAL_DAMAGE) ? FIERCE : types.includes(MAGIC_DAMAGE) ? ARCANE : null;
}

function checkStats(stats: EvaluateRequest['stats']): EnteredStats {
  if (stats === undefined) throw new InputError('invalid', ['stats'], 'is required');
  if (stats.length !== 3) throw new InputError('refused', ['stats'], 'must have exactly three stats');
  const entered = stats.map((stat, index): EnteredStat => {
    const path: FieldPath = ['stats', index];
    const extra = checkInteger(stat.extra_containers ?? 0, [...path, 'extra_containers']);
    if (extra < 0) throw new InputError('refused', [...path, 'extra_containers'], 'must be at least 0');
    return { type: checkRollStat(stat.type, [...path, 'type']), value: checkNumber(stat.value, [...path, 'value']), extra };
  });
  const types = entered.map((stat) => stat.type);
  if (new Set(types).size < 3) throw new InputError('refused', ['stats'], 'must have three different stats');
  if (types.includes(PHYSICAL_DAMAGE) && types.includes(MAGIC_DAMAGE)) {
    throw new InputError('refused', ['stats'], 'must not have both Physical and Magic Damage');
  }
  return entered as [EnteredStat, EnteredStat, EnteredStat];
}

/** The entered boosts if their sum matches the level; otherwise, or if requested, derived boosts. */
function resolveSplit(gem: EnteredGem, available: number, guess: boolean): BoostSplit {
  const [first, second, third] = gem.stats;
  const isGiven = !guess && (gem.hasKnownBoosts || first.extra + second.extra + third.extra === available);
  return isGiven ? [first.extra, second.extra, third.extra] : deriveSplit(available, (position, boosts) => measure(gem, position, boosts));
}

function measureEntered(gem: EnteredGem, position: StatPosition, boosts: number): MeasuredEnteredStat {
  return { ...gem.stats[position], ...measure(gem, position, boosts) };
}

function measure(gem: EnteredGem, position: StatPosition, boosts: number): MeasuredStat {
  const { type, value } = gem.stats[position];
  const figures = getFigures(gem.tier, gem.type, gem.element, type);
  if (figures === null) throw new RangeError(`${STATS[type]} has no figures`);
  return measureStat(figures, value, 1 + boosts, incrementAt(gem.tier, gem.level));
}

function toEvaluatedStat(stat: MeasuredEnteredStat, rank: number) {
  return {
    type: stat.type,
    display_name: STATS[stat.type],
    entered_value: stat.value,
    extra_containers: stat.containers - 1,
    containers: stat.containers,
    progress: roundTo(stat.progress, 4),
    quality_percent: roundTo(100 * stat.progress, 2),
    estimated_pr_contribution: roundTo(rank, 2),
    is_within_range: isWithinRange(stat.raw),
    raw_progress: roundTo(stat.raw, 4),
    threshold_progress: roundTo(stat.threshold, 4),
  };
}

function isWithinRange(raw: number): boolean {
  return raw >= -TOLERANCE && raw <= 1 + TOLERANCE;
}

function describeIssue(stat: MeasuredEnteredStat): string {
  const problem = stat.raw < 0 ? 'below the minimum' : 'above the maximum';
  return `${STATS[stat.type]} is ${problem} possible for this level and boost split.`;
}

function measureStat(figures: StatFigures, value: number, containers: number, increment: number): MeasuredStat {
  const threshold = (value / figures.statBase - increment) / containers;
  const raw = (threshold - figures.lo) / (figures.hi - figures.lo);
  return { containers, threshold, raw, progress: clamp(raw) };
}

/**
 * Most likely split of the boosts: the lowest score, the first in lexicographic order on a tie. `measure` returns the measured stat
 * for a number of boosts.
 */
export function deriveSplit(available: number, measure: (position: StatPosition, boosts: number) => MeasuredStat): BoostSplit {
  const ratings = POSITIONS.map((position) => Array.from({ length: available + 1 }, (_, boosts) => rate(measure(position, boosts))));
  const ratingOf = (position: StatPosition, boosts: number): Rating => ratings[position]?.[boosts] ?? IMPOSSIBLE;
  let best: BoostSplit = [0, 0, available];
  let bestScore = Number.POSITIVE_INFINITY;
  for (let first = 0; first <= available; first += 1) {
    for (let second = 0; second <= available - first; second += 1) {
      const third = available - first - second;
      const score = scoreOf(ratingOf(0, first), ratingOf(1, second), ratingOf(2, third));
      if (score < bestScore) {
        best = [first, second, third];
        bestScore = score;
      }
    }
  }
  return best;
}

/** Fit of a stat: squared distance to its range, and progress, both calculated from values with four decimals. */
interface Rating {
  distanceSquared: number;
  progress: number;
}

const IMPOSSIBLE: Rating = { distanceSquared: Number.POSITIVE_INFINITY, progress: 0 };

function rate({ raw, progress }: MeasuredStat): Rating {
  const rounded = roundTo(raw, 4);
  return { distanceSquared: (rounded - clamp(rounded)) ** 2, progress: roundTo(progress, 4) };
}

/** Sum of the squared distances, plus a quarter of the squared spread of the progress of the three stats. */
function scoreOf(first: Rating, second: Rating, third: Rating): number {
  const spread = Math.max(first.progress, second.progress, third.progress) - Math.min(first.progress, second.progress, third.progress);
  return roundTo(first.distanceSquared + second.distanceSquared + third.distanceSquared + 0.25 * spread ** 2, 9);
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
