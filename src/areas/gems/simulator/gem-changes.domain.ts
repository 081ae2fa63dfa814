import { checkInteger } from '../../../platform/kit/errors/input-error.ts';
import { pick } from '../../../platform/kit/random.ts';
import {
  AUGMENTS,
  type AugmentId,
  COSMIC,
  LIGHT,
  MAGIC_DAMAGE,
  PHYSICAL_DAMAGE,
  RESTRICTIONS,
  RETIRED_STATS,
  type RollStatId,
  SPARK_COST,
  TIERS,
} from '../gem.data.ts';
import {
  type Augment,
  type Container,
  type CostRow,
  countContainers,
  type Gem,
  type GemStat,
  type GemView,
  POSITIONS,
  progressOf,
  realValue,
  type StatPosition,
  viewGem,
  withStat,
} from '../gem.domain.ts';
import { BASE_CONTAINERS, countBoosts } from '../gem-figures.domain.ts';
import { addContainer, type Rolls } from '../gem-generate.domain.ts';
import { AUGMENT_IDS, checkOptionalId, checkPosition, type Maybe, ROLL_STAT_IDS } from '../gem-input.domain.ts';

interface GemChange {
  applied: boolean;
  gem: GemView;
}

interface PaidGemChange extends GemChange {
  /** Cost in the game; empty if nothing changed. */
  cost: readonly CostRow[];
}

/** Applies a focus to the first container below 1; the focus may overflow. A maxed stat is unchanged. */
export function augmentGem(gem: Gem, statPosition: number, augmentType?: Maybe<number>): PaidGemChange {
  const position = checkPosition(statPosition);
  const type = checkOptionalId(augmentType, AUGMENT_IDS, ['augment_type'], 1);
  const stat = gem.stats[position];
  const target = progressOf(stat) === 1 ? -1 : stat.containers.findIndex((container) => realValue(container) < 1);
  if (target < 0) return { applied: false, cost: [], gem: viewGem(gem) };

  const containers = stat.containers.map((container, index) => (index === target ? withAugment(container, type) : container));
  const cost = [{ ...AUGMENTS[type].focus, count: 1 }];
  return { applied: true, cost, gem: viewGem(withStat(gem, position, { ...stat, containers })) };
}

/** Rerolls the type of a stat; its containers stay. A locked stat, or one without candidates, is unchanged. */
export function sparkGem(gem: Gem, statPosition: number, { random }: Rolls): PaidGemChange {
  const position = checkPosition(statPosition);
  const stat = gem.stats[position];
  const candidates = stat.locked ? [] : sparkCandidates(gem);
  if (candidates.length === 0) return { applied: false, cost: [], gem: viewGem(gem) };
  const type = pick(random, candidates);
  return { applied: true, cost: SPARK_COST, gem: viewGem(withStat(gem, position, { ...stat, type })) };
}

/** Possible new types of a stat: the pool of the gem without used types. A used damage type excludes the other one. */
export function sparkCandidates(gem: Gem): readonly RollStatId[] {
  const used = gem.stats.map((stat) => stat.type);
  return sparkPool(gem).filter((type) => canJoin(type, used));
}

/** Whether a gem with `used` stats can have another stat. */
export function canJoin(type: RollStatId, used: readonly RollStatId[]): boolean {
  if (type === MAGIC_DAMAGE && used.includes(PHYSICAL_DAMAGE)) return false;
  if (type === PHYSICAL_DAMAGE && used.includes(MAGIC_DAMAGE)) return false;
  return !used.includes(type);
}

/** Moves the last boost of a stat, unchanged, to one of the other two. The first container is never moved. */
export function flareGem(gem: Gem, statPosition: number, { random }: Rolls): GemChange {
  const position = checkPosition(statPosition);
  const stat = gem.stats[position];
  const boost = stat.containers.at(-1);
  if (boost === undefined || stat.containers.length < 2) return { applied: false, gem: viewGem(gem) };

  const target = pick(
    random,
    POSITIONS.filter((other) => other !== position),
  );
  const receiver = gem.stats[target];
  const reduced = withStat(gem, position, { ...stat, containers: stat.containers.slice(0, -1) });
  return { applied: true, gem: viewGem(withStat(reduced, target, { ...receiver, containers: [...receiver.containers, boost] })) };
}

/** Sets the level, capped at the maximum of the tier, and adjusts the number of containers. Empties the karma bar. */
export function setGemLevel(gem: Gem, targetLevel: number, { random }: Rolls): GemChange {
  const level = Math.min(checkInteger(targetLevel, ['level'], 1), TIERS[gem.tier].maxLevel);
  if (level === gem.level) return { applied: false, gem: viewGem(gem) };

  const targetCount = BASE_CONTAINERS + countBoosts(level);
  let changed: Gem = { ...gem, level, karma: 0 };
  for (let missing = targetCount - countContainers(gem.stats); missing > 0; missing -= 1) changed = addContainer(changed, random);
  for (let surplus = countContainers(gem.stats) - targetCount; surplus > 0; surplus -= 1) {
    const candidates = POSITIONS.filter((position) => changed.stats[position].containers.length > 1);
    changed = withoutLastContainer(changed, pick(random, candidates));
  }
  return { applied: true, gem: viewGem(changed) };
}

function sparkPool(gem: Gem): readonly RollStatId[] {
  if (gem.restriction !== null) return RESTRICTIONS[gem.restriction].pool;
  return ROLL_STAT_IDS.filter((type) => !RETIRED_STATS.includes(type) && (type !== LIGHT || gem.element === COSMIC));
}

function withAugment(container: Container, type: AugmentId): Container {
  const raise = (augment: Augment): Augment => (augment.type === type ? { type, count: augment.count + 1 } : augment);
  const [rough, precise, superior] = container.augments;
  return { ...container, augments: [raise(rough), raise(precise), raise(superior)] };
}

function withoutLastContainer(gem: Gem, position: StatPosition): Gem {
  const stat: GemStat = gem.stats[position];
  return withStat(gem, position, { ...stat, containers: stat.containers.slice(0, -1) });
}
