import { roundTo } from '../../../../platform/kit/values/numbers.ts';
import { evaluateGem } from '../../../gems/evaluator/evaluate.domain.ts';
import { evaluateSimple } from '../../../gems/evaluator/evaluate-simple.domain.ts';
import {
  COSMIC,
  CRITICAL_DAMAGE,
  CRITICAL_HIT,
  EMPOWERED,
  LIGHT,
  MAX_HEALTH_PERCENT,
  type RollStatId,
  type TierId,
  type TypeId,
  WATER,
} from '../../../gems/gem.data.ts';
import type { Container, Gem, ThreeStats } from '../../../gems/gem.domain.ts';
import { calculateStatValue, getFigures, incrementAt } from '../../../gems/gem-figures.domain.ts';
import { ROLL_STAT_IDS } from '../../../gems/gem-input.domain.ts';
import { canJoin } from '../../../gems/simulator/gem-changes.domain.ts';
import { calculateStatRange } from '../../../gems/simulator/gem-tables.domain.ts';
import type { BoostSplit } from './boost-splits.domain.ts';
import { LINKED_GEM_ID } from './gem-code.domain.ts';

/** What a person reads off a gem: the values of its stats, their percentages with the boosts, or its Power Rank alone. */
export const CHECK_BY = ['stats', 'percent', 'rank'] as const;

export interface CheckInput {
  tier: TierId;
  type: TypeId;
  level: number;
  by: (typeof CHECK_BY)[number];
  types: readonly [RollStatId, RollStatId, RollStatId];
  values: readonly [number, number, number];
  percents: readonly [number, number, number];
  boosts: BoostSplit;
  rank: number;
}

type Evaluation = ReturnType<typeof evaluateGem>;
export type FocusTotals = Evaluation['headline_cost'];

export interface CheckedStat {
  name: string;
  value: number;
  min: number;
  max: number;
  progress: number;
  boosts: number;
}

/** A way to maximize a gem with focuses. */
export interface FocusWay extends FocusTotals {
  /** No way needs less flux. */
  isCheapest: boolean;
  /** No way needs fewer focuses. */
  isFewest: boolean;
}

export interface CheckView {
  /** From 0 to 1. */
  quality: number;
  powerRank: number;
  /** Empty by Power Rank. */
  stats: CheckedStat[];
  /** Lowest and highest Power Rank at the level; null by stats. */
  band: { min: number; max: number; isWithin: boolean } | null;
  boosts: number;
  issues: readonly string[];
  ways: readonly FocusTotals[];
}

/** The body of the request that returns the evaluation. */
export function checkBody({ tier, type, level, by, types, values, percents, boosts, rank }: CheckInput) {
  if (by === 'rank') return { tier, type, level, power_rank: rank };
  if (by === 'stats')
    return { tier, type, level, auto_guess_procs: true, stats: types.map((stat, index) => ({ type: stat, value: values[index] ?? 0 })) };
  const element = elementOf(types);
  const stats = types.map((stat, index) => {
    const [progress, extra] = [(percents[index] ?? 0) / 100, boosts[index] ?? 0];
    const figures = getFigures(tier, type, element, stat);
    const value = figures === null ? 0 : calculateStatValue(figures, 1 + extra, progress, incrementAt(tier, level));
    return { type: stat, value: roundTo(value, 6), extra_containers: extra };
  });
  return { tier, type, level, auto_guess_procs: false, stats };
}

const elementOf = (types: readonly RollStatId[]) => (types.includes(LIGHT) ? COSMIC : WATER);

/** The evaluation as the API returns it. Throws `InputError` for stats that no gem has together. */
export function evaluationOf(input: CheckInput) {
  return input.by === 'rank' ? evaluateSimple(checkBody(input)) : evaluateGem(checkBody(input));
}

export function viewCheck(input: CheckInput): CheckView {
  return input.by === 'rank' ? viewByRank(input) : viewByStats(input);
}

function viewByRank(input: CheckInput): CheckView {
  const evaluation = evaluateSimple(checkBody(input));
  return {
    quality: evaluation.quality,
    powerRank: evaluation.power_rank,
    stats: [],
    band: { min: evaluation.min_power_rank, max: evaluation.max_power_rank, isWithin: evaluation.is_within_range },
    boosts: evaluation.boosts,
    issues: evaluation.is_within_range ? [] : ['No gem of this kind has this Power Rank at this level.'],
    ways: Object.values(evaluation.focus_totals),
  };
}

function viewByStats(input: CheckInput): CheckView {
  const evaluation = evaluateGem(checkBody(input));
  const { tier, type, element, level } = evaluation;
  return {
    quality: evaluation.quality,
    powerRank: evaluation.calculated_power_rank,
    stats: evaluation.stats.map((stat) => {
      const range = { tier, type, element, level, stat_type: stat.type, extra_containers: stat.extra_containers };
      const { min_value: min, max_value: max } = calculateStatRange(range);
      return { name: stat.display_name, value: stat.entered_value, min, max, progress: stat.progress, boosts: stat.extra_containers };
    }),
    band: null,
    boosts: evaluation.available_extra_containers,
    issues: evaluation.issues,
    ways: Object.values(evaluation.focus_totals),
  };
}

/** Marks the ways with the least flux and the fewest focuses. Omits a way that is the same as one before. */
export function cheapestWays(totals: readonly FocusTotals[]): FocusWay[] {
  const keyOf = ({ superior, precise, rough }: FocusTotals) => `${superior} ${precise} ${rough}`;
  const ways = totals.filter((way, index) => totals.findIndex((other) => keyOf(other) === keyOf(way)) === index);
  const fluxOf = (way: FocusTotals) => way.recipe_totals.flux ?? 0;
  const leastFlux = Math.min(...ways.map(fluxOf));
  const fewest = Math.min(...ways.map(({ total }) => total));
  return ways.map((way) => ({ ...way, isCheapest: fluxOf(way) === leastFlux, isFewest: way.total === fewest }));
}

const PERCENT_STATS: readonly RollStatId[] = [CRITICAL_DAMAGE, CRITICAL_HIT, MAX_HEALTH_PERCENT];

/** Whether the game shows a stat in percent. */
export const isPercentStat = (stat: RollStatId) => PERCENT_STATS.includes(stat);

/** Stats that a checked gem can have at a position, beside those of the others. */
export function checkChoices(types: readonly RollStatId[], position: number): RollStatId[] {
  const others = types.filter((_, index) => index !== position);
  return ROLL_STAT_IDS.filter((type) => canJoin(type, others));
}

/** The checked gem for the simulator: every container at the measured roll. */
export function checkedGem(input: CheckInput): Gem {
  const { tier, type, level, stats, restriction } = evaluateGem(checkBody(input));
  const element = elementOf(input.types);
  const container = (base: number): Container => ({
    base,
    augments: [
      { type: 1, count: 0 },
      { type: 2, count: 0 },
      { type: 3, count: 0 },
    ],
  });
  return {
    id: LINKED_GEM_ID,
    tier,
    type,
    element,
    restriction: type === EMPOWERED ? null : restriction,
    ability: null,
    level,
    stats: stats.map((stat) => ({
      type: stat.type,
      locked: stat.type === LIGHT,
      containers: Array.from({ length: stat.containers }, () => container(stat.progress)),
    })) as unknown as ThreeStats,
    augmentation: null,
    attempts: 0,
    karma: 0,
    spent: {},
  };
}
