import { checkInteger } from '../../../platform/errors/input-error.ts';
import { roundTo } from '../../../platform/values/rounding.ts';
import { BASE_CONTAINERS, boostsAt, rankOf, rankShare } from '../simulator/gem-figures.domain.ts';
import { type Maybe, requestedIdOr, requestedLevel, TIER_IDS, TYPE_IDS } from '../simulator/gem-ids.domain.ts';
import { LESSER, TIERS, type TierId, TYPES, type TypeId } from '../simulator/gem-lookups.data.ts';
import { type FocusPlan, focusPlan } from './focus-plan.domain.ts';

export interface EvaluateSimpleRequest {
  tier?: Maybe<number>;
  type?: Maybe<number>;
  power_rank?: Maybe<number>;
  level?: Maybe<number>;
}

export interface SimpleEvaluation extends FocusPlan {
  tier: TierId;
  tier_name: string;
  type: TypeId;
  type_name: string;
  level: number;
  power_rank: number;
  min_power_rank: number;
  max_power_rank: number;
  quality: number;
  quality_percent: number;
  is_within_range: boolean;
  /** Power Rank missing from the band, or past it. */
  distance: number;
  containers: number;
  boosts: number;
}

/** Power Ranks a gem can have at a level, from all containers at roll 0 to all at roll 1. */
interface RankBand {
  boosts: number;
  min: number;
  max: number;
}

/** Quality of a gem from its Power Rank alone. */
export function evaluateSimple(request: EvaluateSimpleRequest): SimpleEvaluation {
  const tier = requestedIdOr(request.tier, TIER_IDS, ['tier'], 4);
  const type = requestedIdOr(request.type, TYPE_IDS, ['type'], LESSER);
  const powerRank = checkInteger(request.power_rank ?? 0, ['power_rank']);
  const level = requestedLevel(request.level, tier);

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
    ...focusPlan([{ containers, progress }]),
  };
}

/** A gem may carry fewer boosts than its level gives: a rank too low is looked for in the bands below, else stays with the usual one. */
function findBand(tier: TierId, type: TypeId, level: number, powerRank: number): RankBand {
  const usual = bandOf(tier, type, level, boostsAt(level));
  for (let band = usual; powerRank < band.min && band.boosts > 0; ) {
    band = bandOf(tier, type, level, band.boosts - 1);
    if (powerRank >= band.min && powerRank <= band.max) return band;
  }
  return usual;
}

function bandOf(tier: TierId, type: TypeId, level: number, boosts: number): RankBand {
  const rankAt = (progress: number): number => rankOf(tier, type, level, [rankShare(tier, type, BASE_CONTAINERS + boosts, progress)]);
  return { boosts, min: rankAt(0), max: rankAt(1) };
}
