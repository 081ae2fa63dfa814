import { checkInteger, checkNumber, InputError } from '../../platform/kit/errors/input-error.ts';
import { pick, pickWeighted, type RandomSource, randomBelow, randomUnit, type Seed, seededRandom } from '../../platform/kit/random.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import {
  COSMIC,
  ELEMENTS,
  EMPOWERED,
  HEALTH_REGEN,
  LIGHT,
  RESTRICTIONS,
  ROLL_WEIGHTS,
  type RollStatId,
  TIERS,
  type TypeId,
} from './gem.data.ts';
import {
  type Container,
  countContainers,
  type Gem,
  type GemStat,
  type GemView,
  MAX_CONTAINERS,
  POSITIONS,
  type ThreeStats,
  viewGem,
  withStat,
} from './gem.domain.ts';
import { countBoosts } from './gem-figures.domain.ts';
import { checkOptionalId, ELEMENT_IDS, type Maybe, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from './gem-input.domain.ts';

/** Random source and id generator of an operation. */
export interface Rolls {
  random: RandomSource;
  newId: () => number;
}

/** Random part of an id: six digits after the seconds. */
const ID_RANDOM_RANGE = 1e6;
const MAX_SEED_LENGTH = 64;

/** Rolls of a random source; ids are Unix seconds followed by six random digits, below 2^53. */
export function randomRolls(random: RandomSource, now: UnixSeconds): Rolls {
  return { random, newId: () => now * ID_RANDOM_RANGE + randomBelow(random, ID_RANDOM_RANGE) };
}

/** Seeded rolls if the request has a seed, otherwise random ones. */
export function rollsFor(seed: Maybe<Seed>, random: RandomSource, now: UnixSeconds): Rolls {
  return seed === null || seed === undefined ? randomRolls(random, now) : seededRolls(seed);
}

/** Repeatable rolls, including ids. A seed is an integer or a text of 1 to 64 characters. */
export function seededRolls(seed: Seed): Rolls {
  const random = seededRandom(checkSeed(seed));
  return { random, newId: () => randomBelow(random, 2 ** 31) * ID_RANDOM_RANGE + randomBelow(random, ID_RANDOM_RANGE) };
}

/** New container at the fixed roll of the gem, or at a random one. */
function rollContainer(augmentation: number | null, random: RandomSource): Container {
  return {
    base: augmentation ?? randomUnit(random),
    augments: [
      { type: 1, count: 0 },
      { type: 2, count: 0 },
      { type: 3, count: 0 },
    ],
  };
}

/** Adds a container to a random stat; a gem with `MAX_CONTAINERS` is unchanged. */
export function addContainer(gem: Gem, random: RandomSource): Gem {
  if (countContainers(gem.stats) >= MAX_CONTAINERS) return gem;
  const position = pick(random, POSITIONS);
  const stat = gem.stats[position];
  return withStat(gem, position, { ...stat, containers: [...stat.containers, rollContainer(gem.augmentation, random)] });
}

function checkSeed(seed: Seed): Seed {
  if (typeof seed !== 'string') return checkInteger(seed, ['seed'], -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  if (seed.length < 1 || seed.length > MAX_SEED_LENGTH) {
    throw new InputError('invalid', ['seed'], `must have 1 to ${MAX_SEED_LENGTH} characters`);
  }
  return seed;
}

/** Omitted fields are random, except the level (1). Base rolls are random per container unless `augmentation` is set. */
export interface GenerateRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  element?: Maybe<number>;
  restriction?: Maybe<number>;
  level?: Maybe<number>;
  augmentation?: Maybe<number>;
  /** Whether stats that the game no longer rolls can be drawn. */
  retired_stats?: Maybe<boolean>;
}

export function generateGem(request: GenerateRequest, { random, newId }: Rolls): GemView {
  const level = checkInteger(request.level ?? 1, ['level'], 1);
  const augmentation = request.augmentation ?? null;
  if (augmentation !== null) checkNumber(augmentation, ['augmentation'], 0, 1);

  const tier = checkOptionalId(request.tier, TIER_IDS, ['tier'], null) ?? pick(random, TIER_IDS);
  const requestedType = checkOptionalId(request.type, TYPE_IDS, ['type'], null);
  const element = checkOptionalId(request.element, ELEMENT_IDS, ['element'], null) ?? pick(random, ELEMENT_IDS);
  const requestedRestriction =
    requestedType === EMPOWERED ? null : checkOptionalId(request.restriction, RESTRICTION_IDS, ['restriction'], null);
  const type = requestedType ?? pick(random, TYPE_IDS);
  const pool = requestedRestriction ?? pick(random, RESTRICTION_IDS);

  const types = drawStatTypes(random, type, request.retired_stats ? [...RESTRICTIONS[pool].pool, HEALTH_REGEN] : RESTRICTIONS[pool].pool);
  const lightPosition = element === COSMIC ? pick(random, POSITIONS) : null;
  const stats = POSITIONS.map((position): GemStat => {
    const isLight = position === lightPosition;
    return { type: isLight ? LIGHT : types[position], locked: isLight, containers: [rollContainer(augmentation, random)] };
  }) as ThreeStats;

  const base: Gem = {
    id: newId(),
    tier,
    type,
    element,
    restriction: type === EMPOWERED ? null : pool,
    ability: type === EMPOWERED ? pick(random, ELEMENTS[element].abilities) : null,
    level: Math.min(level, TIERS[tier].maxLevel),
    stats,
    augmentation,
    attempts: 0,
    karma: 0,
    spent: {},
  };
  return viewGem(withBoosts(base, random));
}

/** Draws three distinct stats from a pool. */
function drawStatTypes(random: RandomSource, type: TypeId, pool: readonly RollStatId[]): [RollStatId, RollStatId, RollStatId] {
  const remaining = [...pool];
  const draw = (): RollStatId => {
    const stat = pickWeighted(random, remaining, (candidate) => ROLL_WEIGHTS[type][candidate]);
    remaining.splice(remaining.indexOf(stat), 1);
    return stat;
  };
  return [draw(), draw(), draw()];
}

function withBoosts(gem: Gem, random: RandomSource): Gem {
  let boosted = gem;
  for (let boost = 0; boost < countBoosts(gem.level); boost += 1) boosted = addContainer(boosted, random);
  return boosted;
}
