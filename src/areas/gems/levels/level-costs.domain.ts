import { checkInteger } from '../../../platform/kit/errors/input-error.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import {
  BOOSTERS,
  type BoosterId,
  ELEMENTS,
  type ElementId,
  FLUX,
  type Item,
  KARMA_MAX,
  LESSER,
  MYSTIC_SHARD,
  PRIMAL_SHARD,
  TIERS,
  type TierId,
  type TypeId,
  WATER,
} from '../gem.data.ts';
import type { CostRow } from '../gem.domain.ts';
import { checkBooster, checkOptionalId, ELEMENT_IDS, type Maybe, TIER_IDS, TYPE_IDS } from '../gem-input.domain.ts';
import { type ScheduleRow, scheduleOf } from './level-schedule.data.ts';

/** Attempt at `level`: chances (0 to 1) including the booster, and the materials, spent on success and failure. */
export interface LevelStep {
  level: number;
  chance: number;
  doubleChance: number;
  karmaPerFail: number;
  cost: readonly CostRow[];
}

export interface GemKind {
  tier: TierId;
  type: TypeId;
  element: ElementId;
}

/** Attempts of a kind of gem at the levels after `fromLevel`, up to the maximum of the tier. */
export function listLevelSteps(kind: GemKind, fromLevel: number, booster: BoosterId | null): LevelStep[] {
  const { maxLevel } = TIERS[kind.tier];
  return scheduleOf(kind.tier, kind.type, kind.element)
    .map((row, index) => ({ row, level: index + 2 }))
    .filter(({ level }) => level > fromLevel && level <= maxLevel)
    .map(({ row, level }) => toLevelStep(row, level, kind.element, booster));
}

/** Attempt at one level; null above the maximum of the tier. */
export function getLevelStep(kind: GemKind, level: number, booster: BoosterId | null): LevelStep | null {
  const row = scheduleOf(kind.tier, kind.type, kind.element)[level - 2];
  return row === undefined ? null : toLevelStep(row, level, kind.element, booster);
}

/** Karma of a failure: the sum of both chances in percent, rounded down; at least 1 for every schedule. */
export function calculateKarma(chance: number, doubleChance: number): number {
  return Math.floor(roundTo(100 * (chance + doubleChance), 6));
}

/** Attempts until the karma bar, initially empty, forces the level. */
export function countMaxAttempts({ chance, karmaPerFail }: LevelStep): number {
  return chance >= 1 ? 1 : Math.ceil(KARMA_MAX / karmaPerFail);
}

/** Adds `times` a cost to a sum; rows are in order of first appearance. */
export function addCost(sum: Map<string, CostRow>, cost: readonly CostRow[], times: number): void {
  for (const { item, name, count } of cost) {
    const previous = sum.get(name)?.count ?? 0;
    sum.set(name, { item, name, count: previous + count * times });
  }
}

function toLevelStep(row: ScheduleRow, level: number, element: ElementId, booster: BoosterId | null): LevelStep {
  const [rowChance, rowDouble] = row;
  const factors = booster === null ? { chance: 1, double: 1 } : BOOSTERS[booster];
  const chance = Math.min(1, rowChance * factors.chance);
  const doubleChance = Math.min(1, rowDouble * factors.double);
  return { level, chance, doubleChance, karmaPerFail: calculateKarma(chance, doubleChance), cost: costOf(row, element, booster) };
}

function costOf(row: ScheduleRow, element: ElementId, booster: BoosterId | null): CostRow[] {
  const [, , flux, primalShards, mysticShards, dust, spark] = row;
  const { dust: dustItem, spark: sparkItem } = ELEMENTS[element];
  const amounts: [Item, number][] = [
    [FLUX, flux],
    [PRIMAL_SHARD, primalShards],
    [MYSTIC_SHARD, mysticShards],
    [dustItem, dust],
    [sparkItem, spark],
  ];
  if (booster !== null) amounts.push([BOOSTERS[booster], 1]);
  return amounts.filter(([, count]) => count > 0).map(([{ item, name }, count]) => ({ item, name, count }));
}

export interface LevelCostsRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  element?: Maybe<number>;
  booster?: Maybe<string>;
  from_level?: Maybe<number>;
}

/** Costs of all levels after `from_level`. `expected_total` ignores double level-ups: slightly too high. */
export function calculateLevelCosts(request: LevelCostsRequest) {
  const tier = checkOptionalId(request.tier, TIER_IDS, ['tier'], 4);
  const type = checkOptionalId(request.type, TYPE_IDS, ['type'], LESSER);
  const element = checkOptionalId(request.element, ELEMENT_IDS, ['element'], WATER);
  const booster = checkBooster(request.booster);
  const fromLevel = checkInteger(request.from_level ?? 1, ['from_level'], 1);

  const steps = listLevelSteps({ tier, type, element }, fromLevel, booster);
  const expected = new Map<string, CostRow>();
  const exact = new Map<string, CostRow>();
  let exactAttempts = 0;
  const visits = visitProbabilities(steps, TIERS[tier].maxLevel);
  steps.forEach((step, index) => {
    const attempts = expectedAttemptsOf(step);
    const visited = visits[index] ?? 0;
    addCost(expected, step.cost, attempts);
    addCost(exact, step.cost, visited * attempts);
    exactAttempts += visited * attempts;
  });
  return {
    tier,
    type,
    element,
    booster,
    from_level: fromLevel,
    levels: steps.map(toRow),
    expected_total: roundCounts(expected),
    exact_attempts: roundTo(exactAttempts, 2),
    exact_total: roundCounts(exact),
  };
}

/** Mean number of attempts from an empty karma bar, which limits the number of failures. */
function expectedAttemptsOf(step: LevelStep): number {
  return successWithinLimit(step) / step.chance;
}

/** Probability of a success before the karma bar forces the level. */
function successWithinLimit(step: LevelStep): number {
  return 1 - (1 - step.chance) ** countMaxAttempts(step);
}

/** Probability that each level is attempted: a double level-up skips the next level. */
function visitProbabilities(steps: readonly LevelStep[], maxLevel: number): number[] {
  const visits = [1, ...steps.map(() => 0)];
  steps.forEach((step, index) => {
    const probability = visits[index] ?? 0;
    const double = step.level < maxLevel ? step.doubleChance * successWithinLimit(step) : 0;
    visits[index + 1] = (visits[index + 1] ?? 0) + probability * (1 - double);
    if (step.level < maxLevel) visits[index + 2] = probability * double;
  });
  return visits;
}

function toRow(step: LevelStep) {
  return {
    level: step.level,
    chance: step.chance,
    double_chance: step.doubleChance,
    karma_per_fail: step.karmaPerFail,
    expected_attempts: roundTo(expectedAttemptsOf(step), 2),
    max_attempts: countMaxAttempts(step),
    attempt_quantiles: { 50: quantileOf(step, 0.5), 90: quantileOf(step, 0.9), 99: quantileOf(step, 0.99) },
    cost: step.cost,
  };
}

/** Smallest number of attempts that succeeds with the given probability. */
function quantileOf(step: LevelStep, probability: number): number {
  const limit = countMaxAttempts(step);
  let attempts = 1;
  while (attempts < limit && 1 - (1 - step.chance) ** attempts < probability) attempts += 1;
  return attempts;
}

function roundCounts(sum: ReadonlyMap<string, CostRow>): CostRow[] {
  return [...sum.values()].map((row) => ({ ...row, count: roundTo(row.count, 0) }));
}
