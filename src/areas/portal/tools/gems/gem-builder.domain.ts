import type { RandomSource } from '../../../../platform/kit/random.ts';
import { evaluateGem } from '../../../gems/evaluator/evaluate.domain.ts';
import {
  ABILITIES,
  type AbilityId,
  AUGMENTS,
  type AugmentId,
  BOOSTERS,
  type BoosterId,
  COSMIC,
  ELEMENTS,
  type ElementId,
  EMPOWERED,
  FIERCE,
  FLUX,
  HEALTH_REGEN,
  type Item,
  KARMA_MAX,
  LIGHT,
  MYSTIC_SHARD,
  PRIMAL_SHARD,
  type RestrictionId,
  type RollStatId,
  SPARK_COST,
  STATS,
  TIERS,
  type TierId,
  TYPES,
  type TypeId,
} from '../../../gems/gem.data.ts';
import {
  type Container,
  type CostRow,
  type Gem,
  type GemStat,
  type GemView,
  POSITIONS,
  type StatPosition,
  type ThreeStats,
  viewGem,
  withStat,
} from '../../../gems/gem.domain.ts';
import { countBoosts } from '../../../gems/gem-figures.domain.ts';
import { generateGem, type Rolls } from '../../../gems/gem-generate.domain.ts';
import { parseGem } from '../../../gems/gem-input.domain.ts';
import { calculateLevelCosts, countMaxAttempts, getLevelStep, type LevelStep } from '../../../gems/levels/level-costs.domain.ts';
import { levelUp, levelUpTo } from '../../../gems/levels/level-up.domain.ts';
import { augmentGem, flareGem, setGemLevel, sparkCandidates, sparkGem } from '../../../gems/simulator/gem-changes.domain.ts';
import { calculateStatRange } from '../../../gems/simulator/gem-tables.domain.ts';
import { type BoostSplit, splitsOf } from './boost-splits.domain.ts';

/** Items that the simulator counts. Positions are part of links: add new ones at the end. */
export const COST_ITEMS: readonly Item[] = [
  FLUX,
  PRIMAL_SHARD,
  MYSTIC_SHARD,
  ...Object.values(ELEMENTS).flatMap(({ dust, spark }) => [dust, spark]),
  ...Object.values(BOOSTERS),
  ...Object.values(AUGMENTS).map(({ focus }) => focus),
  ...SPARK_COST,
];

/** Materials by position in `COST_ITEMS`. */
export type Spent = Readonly<Record<number, number>>;

export function addToSpent(spent: Spent, cost: readonly CostRow[]): Spent {
  const sum: Record<number, number> = { ...spent };
  for (const { name, count } of cost) {
    const position = COST_ITEMS.findIndex((item) => item.name === name);
    if (position >= 0) sum[position] = (sum[position] ?? 0) + count;
  }
  return sum;
}

export function spentRows(spent: Spent): CostRow[] {
  return COST_ITEMS.flatMap((item, position) => {
    const count = spent[position] ?? 0;
    return count > 0 ? [{ item: item.item, name: item.name, count }] : [];
  });
}

/** A gem without derived fields. Materials are counted by the tool. */
export const plainGem = (view: GemView): Gem => ({ ...parseGem(view, () => view.id), id: view.id, spent: {} });

/** The gem of the example: a Mystic gem with two stats worth keeping. */
export function exampleGem(random: RandomSource): Gem {
  return plainGem(generateGem({ tier: 4, type: 1, element: 1, restriction: FIERCE, level: 15 }, { random, newId: () => 1 }));
}

interface StatView {
  position: StatPosition;
  type: RollStatId;
  name: string;
  locked: boolean;
  boosts: number;
  value: number;
  /** Lowest and highest value with these boosts at this level. */
  min: number;
  max: number;
  /** Position between them, from 0 to 1. */
  progress: number;
  isMaxed: boolean;
  canSpark: boolean;
}

export interface BuilderView {
  gem: GemView;
  /** Name with tier, such as `Fierce Mystic Gem`; never empty. */
  name: string;
  stats: StatView[];
  /** The next attempt; null at the maximum level. */
  step: LevelStep | null;
  maxAttempts: number;
  karmaMax: number;
  maxLevel: number;
}

export function viewBuilder(gem: Gem, booster: BoosterId | null): BuilderView {
  const view = viewGem(gem);
  const step = gem.level < TIERS[gem.tier].maxLevel ? getLevelStep(gem, gem.level + 1, booster) : null;
  return {
    gem: view,
    name:
      gem.type === EMPOWERED
        ? `${TIERS[gem.tier].name} ${TYPES[gem.type]} Gem, ${view.ability_name ?? 'no ability'}`
        : (view.gem_name ?? ''),
    stats: POSITIONS.map((position) => viewStat(view, gem, position)),
    step,
    maxAttempts: step === null ? 0 : countMaxAttempts(step),
    karmaMax: KARMA_MAX,
    maxLevel: TIERS[gem.tier].maxLevel,
  };
}

function viewStat(view: GemView, gem: Gem, position: StatPosition): StatView {
  const stat = view.stats[position];
  const boosts = stat.containers.length - 1;
  const { min_value: min, max_value: max } = calculateStatRange({
    tier: gem.tier,
    type: gem.type,
    element: gem.element,
    stat_type: stat.type,
    level: gem.level,
    extra_containers: boosts,
  });
  return {
    position,
    type: stat.type,
    name: STATS[stat.type],
    locked: stat.locked,
    boosts,
    value: Object.values(view.stat_values[position] ?? {})[0] ?? 0,
    min,
    max,
    progress: stat.augmentation_progress,
    isMaxed: stat.augmentation_progress >= 1,
    canSpark: !stat.locked && sparkCandidates(gem).length > 0,
  };
}

/** Stats that the kind of gem can have at a position beside the other two. */
function allowedAt(gem: Gem, position: StatPosition): RollStatId[] {
  // A stat that is in no pool, so that neither the stat itself nor the other damage is excluded.
  const open = withStat(gem, position, { ...gem.stats[position], type: HEALTH_REGEN });
  return sparkCandidates(open).filter((type): type is RollStatId => type !== LIGHT);
}

/** Stats that the stat of a position may be, with the other two as they are. */
export function statChoices(gem: Gem, position: StatPosition): RollStatId[] {
  const allowed = allowedAt(gem, position);
  const current = gem.stats[position].type;
  return allowed.includes(current) ? allowed : [current, ...allowed];
}

/** Distributions of the boosts of a gem over its stats, such as `[3, 0, 0]`. */
export function boostSplits(gem: Gem): BoostSplit[] {
  return splitsOf(gem.stats.reduce((sum, { containers }) => sum + containers.length - 1, 0));
}

const NO_FOCUSES: Container['augments'] = [
  { type: 1, count: 0 },
  { type: 2, count: 0 },
  { type: 3, count: 0 },
];

/** The gem with its boosts distributed over the stats. Containers move with their rolls. */
export function withSplit(gem: Gem, split: BoostSplit): Gem {
  const boosts = gem.stats.flatMap(({ containers }) => containers.slice(1));
  let taken = 0;
  const stats = gem.stats.map((stat, index): GemStat => {
    const count = split[index] ?? 0;
    taken += count;
    return { ...stat, containers: [...stat.containers.slice(0, 1), ...boosts.slice(taken - count, taken)] };
  });
  return { ...gem, stats: stats as ThreeStats };
}

/** The gem with all containers of a stat at the same roll, without focuses. */
export function withRoll(gem: Gem, position: StatPosition, roll: number): Gem {
  const stat = gem.stats[position];
  return withStat(gem, position, { ...stat, containers: stat.containers.map(() => ({ base: roll, augments: NO_FOCUSES })) });
}

export function withStatType(gem: Gem, position: StatPosition, type: RollStatId): Gem {
  return withStat(gem, position, { ...gem.stats[position], type });
}

interface KindChange {
  tier?: TierId;
  type?: TypeId;
  element?: ElementId;
  restriction?: RestrictionId;
  ability?: AbilityId;
}

/** The gem as another kind, with stats and ability that the kind can have. A higher level than the tier has is lowered. */
export function withKind(gem: Gem, change: KindChange, rolls: Rolls): Gem {
  const { tier, type, element } = { ...gem, ...change };
  const abilities = ELEMENTS[element].abilities;
  const ability = change.ability ?? gem.ability;
  const kind: Gem = {
    ...gem,
    tier,
    type,
    element,
    restriction: type === EMPOWERED ? null : (change.restriction ?? gem.restriction ?? FIERCE),
    ability: type === EMPOWERED ? (abilities.find((id) => id === ability) ?? abilities[0] ?? null) : null,
  };
  return withLevel(withAllowedStats(kind), Math.min(gem.level, TIERS[tier].maxLevel), rolls);
}

/** Replaces stats that the kind of gem cannot have. A Cosmic gem has Light, which no spark changes. */
function withAllowedStats(gem: Gem): Gem {
  let allowed = gem;
  const hasLight = gem.stats.some(({ type }) => type === LIGHT);
  for (const position of POSITIONS) {
    const stat = allowed.stats[position];
    if (gem.element === COSMIC && !hasLight && position === 0) {
      allowed = withStat(allowed, position, { ...stat, type: LIGHT, locked: true });
      continue;
    }
    if (stat.type === LIGHT && gem.element === COSMIC) continue;
    const candidates = allowedAt(allowed, position);
    const isAllowed = candidates.includes(stat.type);
    allowed = withStat(allowed, position, { ...stat, type: isAllowed ? stat.type : (candidates[0] ?? stat.type), locked: false });
  }
  return allowed;
}

/** The gem at a level, with the boosts of that level. */
export function withLevel(gem: Gem, level: number, rolls: Rolls): Gem {
  return plainGem(setGemLevel(gem, level, rolls).gem);
}

/** Outcome of an operation in the simulator. */
export interface Step {
  gem: Gem;
  /** What happened, for the list. */
  text: string;
  cost: readonly CostRow[];
}

/** A new gem of the same kind. */
export function rollGem({ tier, type, element, restriction, level }: Gem, rolls: Rolls): Step {
  const gem = generateGem({ tier, type, element, restriction, level }, rolls);
  return { gem: plainGem({ ...gem, id: 1 }), text: 'Rolled a new gem', cost: [] };
}

export function augmentStep(gem: Gem, position: StatPosition, focus: AugmentId): Step {
  const { gem: changed, cost } = augmentGem(gem, position, focus);
  return { gem: plainGem(changed), text: `${AUGMENTS[focus].name} on ${STATS[gem.stats[position].type]}`, cost };
}

export function sparkStep(gem: Gem, position: StatPosition, rolls: Rolls): Step {
  const { gem: changed, cost } = sparkGem(gem, position, rolls);
  const text = `Spark: ${STATS[gem.stats[position].type]} became ${STATS[changed.stats[position].type]}`;
  return { gem: plainGem(changed), text, cost };
}

export function flareStep(gem: Gem, position: StatPosition, rolls: Rolls): Step {
  const { gem: changed } = flareGem(gem, position, rolls);
  const target = POSITIONS.find((other) => changed.stats[other].containers.length > gem.stats[other].containers.length);
  const to = target === undefined ? 'nowhere' : STATS[gem.stats[target].type];
  return { gem: plainGem(changed), text: `Flare: a boost moved from ${STATS[gem.stats[position].type]} to ${to}`, cost: [] };
}

const OUTCOMES = { success: 'reached', double: 'two levels at once, reached', failed: 'failed, still', max_level: 'already at' } as const;

export function levelStep(gem: Gem, booster: BoosterId | null, rolls: Rolls): Step {
  const { outcome, guaranteed, gem: changed, cost } = levelUp(gem, booster, rolls);
  const text = `Level-up: ${OUTCOMES[outcome]} level ${changed.level}${guaranteed ? ', by karma' : ''}`;
  return { gem: plainGem(changed), text, cost };
}

export function levelToStep(gem: Gem, level: number, booster: BoosterId | null, rolls: Rolls): Step {
  const { attempts, gem: changed, cost } = levelUpTo(gem, level, booster, null, rolls);
  return { gem: plainGem(changed), text: `Level ${gem.level} to ${changed.level} in ${attempts} attempts`, cost };
}

/** Expected attempts and materials from the level of a gem to the maximum of its tier, with an empty karma bar. */
export function costToMaximum({ tier, type, element, level }: Gem, booster: BoosterId | null) {
  return calculateLevelCosts({ tier, type, element, booster, from_level: level });
}

/** The evaluation of a gem, as the API returns it for the same gem. */
export const evaluateBuilt = (gem: Gem) => evaluateGem({ gem });

/** Abilities that a gem of an element can have. */
export const abilityChoices = (element: ElementId) => ELEMENTS[element].abilities.map((id) => ({ id, name: ABILITIES[id] }));

/** Boosts that a gem has at its level. */
export const boostsAt = (gem: Gem) => countBoosts(gem.level);
