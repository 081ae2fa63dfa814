import { checkInteger } from '../../../platform/kit/errors/input-error.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { LESSER, TIERS, type TierId, TYPES, type TypeId } from '../gem.data.ts';
import { BASE_CONTAINERS, calculatePowerRank, countBoosts, powerRankShare } from '../gem-figures.domain.ts';
import { checkLevel, checkOptionalId, type Maybe, TIER_IDS, TYPE_IDS } from '../gem-input.domain.ts';
import { createFocusPlan } from './focus-plan.domain.ts';

interface EvaluateSimpleRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  power_rank?: Maybe<number>;
  level?: Maybe<number>;
}

/** Possible Power Ranks of a gem at a level: from all containers at roll 0 to all at roll 1. */
interface PowerRankBand {
  boosts: number;
  min: number;
  max: number;
}

/** Evaluates a gem from its Power Rank alone. */
export function evaluateSimple(request: EvaluateSimpleRequest) {
  const tier = checkOptionalId(request.tier, TIER_IDS, ['tier'], 4);
  const type = checkOptionalId(request.type, TYPE_IDS, ['type'], LESSER);
  const powerRank = checkInteger(request.power_rank ?? 0, ['power_rank']);
  const level = checkLevel(request.level, tier);

  const { boosts, min, max } = findBand(tier, type, level, powerRank);
  const progress = Math.min(Math.max((powerRank - min) / (max - min), 0), 1);
  const containers = BASE_CONTAINERS + boosts;
  return {
    tier,
    tier_name: TIERS[tier].name,
    type,
    type_name: TYPES[type],
    level,
    power_rank: powerRank,
    min_power_rank: min,
    max_power_rank: max,
    quality: roundTo(progress, 4),
    quality_percent: roundTo(100 * progress, 2),
    is_within_range: powerRank >= min && powerRank <= max,
    distance: Math.max(min - powerRank, powerRank - max, 0),
    containers,
    boosts,
    ...createFocusPlan([{ containers, progress }]),
  };
}

/** Band that contains the Power Rank. A gem can have fewer boosts than its level grants; falls back to the band of all boosts. */
function findBand(tier: TierId, type: TypeId, level: number, powerRank: number): PowerRankBand {
  const fullBand = calculateBand(tier, type, level, countBoosts(level));
  for (let band = fullBand; powerRank < band.min && band.boosts > 0; ) {
    band = calculateBand(tier, type, level, band.boosts - 1);
    if (powerRank >= band.min && powerRank <= band.max) return band;
  }
  return fullBand;
}

function calculateBand(tier: TierId, type: TypeId, level: number, boosts: number): PowerRankBand {
  const rankAt = (progress: number): number =>
    calculatePowerRank(tier, type, level, [powerRankShare(tier, type, BASE_CONTAINERS + boosts, progress)]);
  return { boosts, min: rankAt(0), max: rankAt(1) };
}
