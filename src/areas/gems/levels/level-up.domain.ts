import { checkInteger } from '../../../platform/errors/input-error.ts';
import { happens, type RandomSource } from '../../../platform/values/random-source.ts';
import { addAmount, type CostRow, type Gem, type GemView, viewGem } from '../simulator/gem.domain.ts';
import { type Maybe, requestedBooster, requestedLevel } from '../simulator/gem-ids.domain.ts';
import { KARMA_MAX, TIERS } from '../simulator/gem-lookups.data.ts';
import { addContainer, type Rolls } from '../simulator/gem-rolls.domain.ts';
import { BOOST_LEVELS } from './level-schedule.data.ts';
import { addCost, type LevelStep, levelStepAt } from './level-steps.domain.ts';

export type LevelOutcome = 'success' | 'double' | 'failed';

export interface LevelUp {
  applied: boolean;
  outcome: LevelOutcome | 'max_level';
  chance: number;
  double_chance: number;
  cost: readonly CostRow[];
  /** The karma bar was full: the level came of this attempt although the draw failed. */
  guaranteed: boolean;
  karma_gained: number;
  gem: GemView;
}

export interface LevelUpTo {
  applied: boolean;
  /** The wanted level is reached, or passed by a double. */
  reached: boolean;
  attempts: number;
  outcomes: Record<LevelOutcome, number>;
  guaranteed: number;
  cost: readonly CostRow[];
  gem: GemView;
}

/** Attempts one call may make; no gem needs more, as no level takes more than 125. */
export const MAX_ATTEMPTS = 5000;

interface Attempt {
  outcome: LevelOutcome;
  guaranteed: boolean;
  karmaGained: number;
  gem: Gem;
}

/** One attempt at the next level. */
export function levelUp(gem: Gem, booster: Maybe<string>, { random }: Rolls): LevelUp {
  const step = levelStepAt(gem, gem.level + 1, requestedBooster(booster));
  if (step === null) {
    const nothing = { chance: 0, double_chance: 0, cost: [], guaranteed: false, karma_gained: 0 };
    return { applied: false, outcome: 'max_level', ...nothing, gem: viewGem(gem) };
  }
  const attempt = attemptLevel(gem, step, random);
  return {
    applied: attempt.outcome !== 'failed',
    outcome: attempt.outcome,
    chance: step.chance,
    double_chance: step.doubleChance,
    cost: step.cost,
    guaranteed: attempt.guaranteed,
    karma_gained: attempt.karmaGained,
    gem: viewGem(pay(attempt.gem, 1, step.cost)),
  };
}

/** Attempts until the wanted level is reached or `maxAttempts` are made. */
export function levelUpTo(gem: Gem, level: number, booster: Maybe<string>, maxAttempts: Maybe<number>, { random }: Rolls): LevelUpTo {
  const boosterId = requestedBooster(booster);
  checkInteger(level, ['level'], 1);
  const wanted = requestedLevel(level, gem.tier);
  const limit = checkInteger(maxAttempts ?? MAX_ATTEMPTS, ['max_attempts'], 1, MAX_ATTEMPTS);

  const outcomes = { success: 0, double: 0, failed: 0 };
  const cost = new Map<string, CostRow>();
  let guaranteed = 0;
  let attempts = 0;
  let current = gem;
  let step = levelStepAt(gem, gem.level + 1, boosterId);
  while (step !== null && current.level < wanted && attempts < limit) {
    const attempt = attemptLevel(current, step, random);
    attempts += 1;
    outcomes[attempt.outcome] += 1;
    if (attempt.guaranteed) guaranteed += 1;
    addCost(cost, step.cost, 1);
    current = attempt.gem;
    if (attempt.outcome !== 'failed') step = levelStepAt(current, current.level + 1, boosterId);
  }
  const total = [...cost.values()];
  return {
    applied: current.level > gem.level,
    reached: current.level >= wanted,
    attempts,
    outcomes,
    guaranteed,
    cost: total,
    gem: viewGem(pay(current, attempts, total)),
  };
}

function attemptLevel(gem: Gem, step: LevelStep, random: RandomSource): Attempt {
  if (happens(random, step.chance)) {
    const fitsDouble = step.level < TIERS[gem.tier].maxLevel;
    const isDouble = happens(random, step.doubleChance) && fitsDouble;
    const levels = isDouble ? [step.level, step.level + 1] : [step.level];
    return { outcome: isDouble ? 'double' : 'success', guaranteed: false, karmaGained: 0, gem: gainLevels(gem, levels, random) };
  }
  const karmaGained = step.karmaPerFail;
  const karma = gem.karma + karmaGained;
  if (karma >= KARMA_MAX) return { outcome: 'success', guaranteed: true, karmaGained, gem: gainLevels(gem, [step.level], random) };
  return { outcome: 'failed', guaranteed: false, karmaGained, gem: { ...gem, karma } };
}

function gainLevels(gem: Gem, levels: readonly number[], random: RandomSource): Gem {
  let raised: Gem = gem;
  for (const level of levels) {
    raised = { ...raised, level, karma: 0 };
    if (BOOST_LEVELS.some((boostLevel) => boostLevel === level)) raised = addContainer(raised, random);
  }
  return raised;
}

/** Counts attempts and their materials, won or lost. */
function pay(gem: Gem, attempts: number, cost: readonly CostRow[]): Gem {
  const spent = { ...gem.spent };
  for (const { name, count } of cost) spent[name] = addAmount(spent[name] ?? 0, count);
  return { ...gem, attempts: addAmount(gem.attempts, attempts), spent };
}
