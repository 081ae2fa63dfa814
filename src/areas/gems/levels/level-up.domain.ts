import { checkInteger, MAX_AMOUNT } from '../../../platform/kit/errors/input-error.ts';
import { happens, type RandomSource } from '../../../platform/kit/random.ts';
import { BOOST_LEVELS, KARMA_MAX, TIERS } from '../gem.data.ts';
import { type CostRow, type Gem, viewGem } from '../gem.domain.ts';
import { addContainer, type Rolls } from '../gem-generate.domain.ts';
import { checkBooster, checkLevel, type Maybe } from '../gem-input.domain.ts';
import { addCost, getLevelStep, type LevelStep } from './level-costs.domain.ts';

type LevelOutcome = 'success' | 'double' | 'failed';

/** Maximum attempts per request. No gem needs more: a level takes at most 125 attempts. */
export const MAX_ATTEMPTS = 5000;

interface Attempt {
  outcome: LevelOutcome;
  /** The attempt failed but filled the karma bar, which grants the level. */
  guaranteed: boolean;
  karmaGained: number;
  gem: Gem;
}

/** One attempt at the next level. */
export function levelUp(gem: Gem, booster: Maybe<string>, { random }: Rolls) {
  const step = getLevelStep(gem, gem.level + 1, checkBooster(booster));
  if (step === null) {
    const noAttempt = { chance: 0, double_chance: 0, cost: [], guaranteed: false, karma_gained: 0 };
    return { applied: false, outcome: 'max_level' as const, ...noAttempt, gem: viewGem(gem) };
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
    gem: viewGem(addSpent(attempt.gem, 1, step.cost)),
  };
}

/** Repeats attempts until the target level is reached, or passed by a double level-up, or `maxAttempts` are made. */
export function levelUpTo(gem: Gem, level: number, booster: Maybe<string>, maxAttempts: Maybe<number>, { random }: Rolls) {
  const boosterId = checkBooster(booster);
  checkInteger(level, ['level'], 1);
  const targetLevel = checkLevel(level, gem.tier);
  const limit = checkInteger(maxAttempts ?? MAX_ATTEMPTS, ['max_attempts'], 1, MAX_ATTEMPTS);

  const outcomes = { success: 0, double: 0, failed: 0 };
  const cost = new Map<string, CostRow>();
  let guaranteed = 0;
  let attempts = 0;
  let current = gem;
  let step = getLevelStep(gem, gem.level + 1, boosterId);
  while (step !== null && current.level < targetLevel && attempts < limit) {
    const attempt = attemptLevel(current, step, random);
    attempts += 1;
    outcomes[attempt.outcome] += 1;
    if (attempt.guaranteed) guaranteed += 1;
    addCost(cost, step.cost, 1);
    current = attempt.gem;
    if (attempt.outcome !== 'failed') step = getLevelStep(current, current.level + 1, boosterId);
  }
  const total = [...cost.values()];
  return {
    applied: current.level > gem.level,
    reached: current.level >= targetLevel,
    attempts,
    outcomes,
    guaranteed,
    cost: total,
    gem: viewGem(addSpent(current, attempts, total)),
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
  let leveled: Gem = gem;
  for (const level of levels) {
    leveled = { ...leveled, level, karma: 0 };
    if (BOOST_LEVELS.some((boostLevel) => boostLevel === level)) leveled = addContainer(leveled, random);
  }
  return leveled;
}

/** Adds attempts and their materials to the counters of a gem, each capped at the maximum that a request can have. */
function addSpent(gem: Gem, attempts: number, cost: readonly CostRow[]): Gem {
  const add = (total: number, amount: number) => Math.min(total + amount, MAX_AMOUNT);
  const spent = { ...gem.spent };
  for (const { name, count } of cost) spent[name] = add(spent[name] ?? 0, count);
  return { ...gem, attempts: add(gem.attempts, attempts), spent };
}
