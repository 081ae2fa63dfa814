import { checkInteger, checkNumber } from '../../../platform/errors/input-error.ts';
import { pick, pickWeighted, type RandomSource } from '../../../platform/values/random-source.ts';
import { type Gem, type GemStat, type GemView, type ThreeStats, viewGem } from './gem.domain.ts';
import { boostsAt } from './gem-figures.domain.ts';
import { ELEMENT_IDS, type Maybe, RESTRICTION_IDS, requestedIdOr, TIER_IDS, TYPE_IDS } from './gem-ids.domain.ts';
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

/** Omitted fields are random, except the level (1); base rolls are random per container. */
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

  const tier = requestedIdOr(request.tier, TIER_IDS, ['tier'], null) ?? pick(random, TIER_IDS);
  const givenType = requestedIdOr(request.type, TYPE_IDS, ['type'], null);
  const element = requestedIdOr(request.element, ELEMENT_IDS, ['element'], null) ?? pick(random, ELEMENT_IDS);
  const wanted = givenType === EMPOWERED ? null : requestedIdOr(request.restriction, RESTRICTION_IDS, ['restriction'], null);
  const type = givenType ?? pick(random, TYPE_IDS);
  const pool = wanted ?? pick(random, RESTRICTION_IDS);

  const types = drawStatTypes(random, type, pool);
  const lightAt = element === COSMIC ? pick(random, POSITIONS) : null;
  const stats = POSITIONS.map((position): GemStat => {
    const isLight = position === lightAt;
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

/** Three distinct stats of a restriction's pool, drawn one after the other. */
function drawStatTypes(random: RandomSource, type: TypeId, pool: RestrictionId): [RollStatId, RollStatId, RollStatId] {
  const left = [...RESTRICTIONS[pool].pool];
  const draw = (): RollStatId => {
    const stat = pickWeighted(random, left, (candidate) => ROLL_WEIGHTS[type][candidate]);
    left.splice(left.indexOf(stat), 1);
    return stat;
  };
  return [draw(), draw(), draw()];
}

function withBoosts(gem: Gem, random: RandomSource): Gem {
  let boosted = gem;
  for (let boost = 0; boost < boostsAt(gem.level); boost += 1) boosted = addContainer(boosted, random);
  return boosted;
}
