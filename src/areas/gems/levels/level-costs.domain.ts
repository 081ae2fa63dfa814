import { checkInteger } from '../../../platform/errors/input-error.ts';
import { roundTo } from '../../../platform/values/rounding.ts';
import type { CostRow } from '../simulator/gem.domain.ts';
import { ELEMENT_IDS, type Maybe, requestedBooster, requestedIdOr, TIER_IDS, TYPE_IDS } from '../simulator/gem-ids.domain.ts';
import { type BoosterId, type ElementId, LESSER, TIERS, type TierId, type TypeId, WATER } from '../simulator/gem-lookups.data.ts';
import { addCost, type LevelStep, levelStepsAfter, maxAttemptsOf } from './level-steps.domain.ts';

export interface LevelCostsRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  element?: Maybe<number>;
  booster?: Maybe<string>;
  from_level?: Maybe<number>;
}

export interface LevelCostRow {
  level: number;
  chance: number;
  double_chance: number;
  karma_per_fail: number;
  expected_attempts: number;
  max_attempts: number;
  /** Attempts that suffice in half, 90 % and 99 % of all cases. */
  attempt_quantiles: Record<'50' | '90' | '99', number>;
  /** Per attempt. */
  cost: readonly CostRow[];
}

export interface LevelCosts {
  tier: TierId;
  type: TypeId;
  element: ElementId;
  booster: BoosterId | null;
  from_level: number;
  levels: LevelCostRow[];
  /** Every level once: double level-ups left out, so slightly high. */
  expected_total: CostRow[];
  /** Attempts and materials with double level-ups counted. */
  exact_attempts: number;
  exact_total: CostRow[];
}

export function levelCosts(request: LevelCostsRequest): LevelCosts {
  const tier = requestedIdOr(request.tier, TIER_IDS, ['tier'], 4);
  const type = requestedIdOr(request.type, TYPE_IDS, ['type'], LESSER);
  const element = requestedIdOr(request.element, ELEMENT_IDS, ['element'], WATER);
  const booster = requestedBooster(request.booster);
  const fromLevel = checkInteger(request.from_level ?? 1, ['from_level'], 1);

  const steps = levelStepsAfter({ tier, type, element }, fromLevel, booster);
  const expected = new Map<string, CostRow>();
  const exact = new Map<string, CostRow>();
  let exactAttempts = 0;
  const visits = visitsOf(steps, TIERS[tier].maxLevel);
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
    expected_total: wholeCounts(expected),
    exact_attempts: roundTo(exactAttempts, 2),
    exact_total: wholeCounts(exact),
  };
}

/** Mean number of attempts when the karma bar, empty at first, ends the row of failures. */
export function expectedAttemptsOf(step: LevelStep): number {
  return successWithinLimit(step) / step.chance;
}

/** Chance that a draw succeeds before the karma bar forces the level. */
function successWithinLimit(step: LevelStep): number {
  return 1 - (1 - step.chance) ** maxAttemptsOf(step);
}

/** How often each level is attempted at all: a double passes over the one after it. */
function visitsOf(steps: readonly LevelStep[], maxLevel: number): number[] {
  const visits = [1, ...steps.map(() => 0)];
  steps.forEach((step, index) => {
    const here = visits[index] ?? 0;
    const double = step.level < maxLevel ? step.doubleChance * successWithinLimit(step) : 0;
    visits[index + 1] = (visits[index + 1] ?? 0) + here * (1 - double);
    if (step.level < maxLevel) visits[index + 2] = here * double;
  });
  return visits;
}

function toRow(step: LevelStep): LevelCostRow {
  return {
    level: step.level,
    chance: step.chance,
    double_chance: step.doubleChance,
    karma_per_fail: step.karmaPerFail,
    expected_attempts: roundTo(expectedAttemptsOf(step), 2),
    max_attempts: maxAttemptsOf(step),
    attempt_quantiles: { 50: quantileOf(step, 0.5), 90: quantileOf(step, 0.9), 99: quantileOf(step, 0.99) },
    cost: step.cost,
  };
}

/** Smallest number of attempts that succeeds with the given probability. */
function quantileOf(step: LevelStep, probability: number): number {
  const limit = maxAttemptsOf(step);
  let attempts = 1;
  while (attempts < limit && 1 - (1 - step.chance) ** attempts < probability) attempts += 1;
  return attempts;
}

function wholeCounts(sum: ReadonlyMap<string, CostRow>): CostRow[] {
  return [...sum.values()].map((row) => ({ ...row, count: roundTo(row.count, 0) }));
}
