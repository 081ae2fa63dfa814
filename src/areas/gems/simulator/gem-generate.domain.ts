import { checkInteger, checkNumber } from '../../../platform/kit/errors/input-error.ts';
import { pick, pickWeighted, type RandomSource } from '../../../platform/kit/values/random-source.ts';
import { type Gem, type GemStat, type GemView, type ThreeStats, viewGem } from './gem.domain.ts';
import { countBoosts } from './gem-figures.domain.ts';
import { checkOptionalId, ELEMENT_IDS, type Maybe, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from './gem-ids.domain.ts';
import {
  COSMIC,
  ELEMENTS,
  EMPOWERED,
  LIGHT,
  RESTRICTIONS,
  type RestrictionId,
  type RollStatId,
  TIERS,
  type TypeId,
} from './gem-lookups.data.ts';
import { addContainer, POSITIONS, type Rolls, rollContainer } from './gem-rolls.domain.ts';
import { ROLL_WEIGHTS } from './stat-rolls.data.ts';

/** Omitted fields are random, except the level (1). Base rolls are random per container unless `augmentation` is set. */
export interface GenerateRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  element?: Maybe<number>;
  restriction?: Maybe<number>;
  level?: Maybe<number>;
  augmentation?: Maybe<number>;
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

  const types = drawStatTypes(random, type, pool);
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

/** Draws three distinct stats from the pool of a restriction. */
function drawStatTypes(random: RandomSource, type: TypeId, pool: RestrictionId): [RollStatId, RollStatId, RollStatId] {
  const remaining = [...RESTRICTIONS[pool].pool];
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
